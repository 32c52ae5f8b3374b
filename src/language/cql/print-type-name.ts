import type { QualifiedName } from './names.ts';
import type { TypeName } from './type-name.ts';

/** A type as Cassandra repeats it in its messages. */
export function printTypeName(type: TypeName): string {
  switch (type.kind) {
    case 'native':
      return type.name;
    case 'list':
    case 'set':
      return `${type.kind}<${printTypeName(type.element)}>`;
    case 'map':
      return `map<${printTypeName(type.key)}, ${printTypeName(type.value)}>`;
    case 'tuple':
      return `tuple<${type.elements.map(printTypeName).join(', ')}>`;
    case 'vector':
      return `vector<${printTypeName(type.element)}, ${type.dimension}>`;
    case 'frozen':
      return `frozen<${printTypeName(type.type)}>`;
    case 'userType':
      return printUserType(type.name);
    case 'custom':
      return `'${qualifyClass(type.className)}'`;
  }
}

function printUserType({ keyspace, name }: QualifiedName): string {
  return keyspace === null ? name : `${keyspace}.${name}`;
}

/** A class without a package is one of Cassandra's own. */
function qualifyClass(className: string): string {
  return className.includes('.') ? className : `org.apache.cassandra.db.marshal.${className}`;
}
