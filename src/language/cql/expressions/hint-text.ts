import { printTypeName } from '../print-type-name.ts';
import type { TypeName } from '../type-name.ts';

/** The type of a hint as Cassandra repeats it: user types with the keyspace in which they were found. */
export function printHintedType(type: TypeName, keyspace: string | undefined): string {
  return printTypeName(keyspace === undefined ? type : qualified(type, keyspace));
}

function qualified(type: TypeName, keyspace: string): TypeName {
  switch (type.kind) {
    case 'userType':
      return { kind: 'userType', name: { keyspace, name: type.name.name } };
    case 'list':
    case 'set':
    case 'vector':
      return { ...type, element: qualified(type.element, keyspace) };
    case 'map':
      return { kind: 'map', key: qualified(type.key, keyspace), value: qualified(type.value, keyspace) };
    case 'tuple':
      return { kind: 'tuple', elements: type.elements.map((element) => qualified(element, keyspace)) };
    case 'frozen':
      return { kind: 'frozen', type: qualified(type.type, keyspace) };
    default:
      return type;
  }
}
