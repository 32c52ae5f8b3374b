// What the parser of Apache Cassandra says to statements: one JSON string a line in, one JSON string or null a line out.
// Run by cql-verdicts.mjs; it needs the jars of Cassandra on its class path and no server.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.exceptions.SyntaxException;

public class CqlVerdicts
{
    public static void main(String[] arguments) throws Exception
    {
        DatabaseDescriptor.clientInitialization(false);
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line; (line = in.readLine()) != null; )
            out.println(verdict(unquote(line)));
        out.flush();
        System.exit(0);
    }

    private static String verdict(String statement)
    {
        try
        {
            QueryProcessor.parseStatement(statement);
            return "null";
        }
        catch (SyntaxException error)
        {
            return quote(error.getMessage());
        }
        catch (Throwable error)
        {
            return quote("not a syntax error: " + error);
        }
    }

    private static String quote(String text)
    {
        var json = new StringBuilder("\"");
        for (char c : text.toCharArray())
        {
            if (c == '"' || c == '\\')
                json.append('\\').append(c);
            else if (c < 32 || c > 126)
                json.append(String.format("\\u%04x", (int) c));
            else
                json.append(c);
        }
        return json.append('"').toString();
    }

    // Only what cql-verdicts.mjs writes: every character that needs it as four hexadecimal digits.
    private static String unquote(String json)
    {
        var text = new StringBuilder();
        for (int i = 1; i < json.length() - 1; i++)
        {
            if (json.charAt(i) != '\\')
            {
                text.append(json.charAt(i));
                continue;
            }
            text.append((char) Integer.parseInt(json.substring(i + 2, i + 6), 16));
            i += 5;
        }
        return text.toString();
    }
}
