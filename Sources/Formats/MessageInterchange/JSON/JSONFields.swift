/// The values of a JSON object by their keys, as the bytes that stand there; `null` is no value.
struct JSONFields {
  /// The keys and values as they stand there: most objects have few, which are compared faster than they are hashed.
  private var entries: [(key: Bytes, value: Bytes)] = []
  /// The values of an object with many keys, or with escapes in one.
  private var table: [String: Bytes]?

  /// So many keys are compared one by one.
  private static let mostCompared = 24

  /// Creates an object without values.
  init() {}

  /// Reads the object that `bytes` are; `nil` if they are none.
  init?(_ bytes: Bytes?) {
    guard let bytes else { return nil }
    var scanner = JSONScanner(bytes)
    do throws(JSONError) { try read(&scanner) } catch { return nil }
  }

  /// The keys that have a value.
  var keys: [String] {
    guard table == nil else { return table?.filter { !Self.isNull($0.value) }.map(\.key) ?? [] }
    return entries.indices.compactMap { place in
      let (key, value) = entries[place]
      let isLast = !entries[(place + 1)...].contains { $0.key.equals(key) }
      return isLast && !Self.isNull(value) ? key.string : nil
    }
  }

  subscript(key: String) -> Bytes? {
    if let table { return Self.told(table[key]) }
    var key = key
    return key.withUTF8 { value(of: Bytes($0)) }
  }

  /// Returns the value under `key`; `nil` if there is none.
  private func value(of key: StaticString) -> Bytes? {
    if table != nil { return self["\(key)"] }
    return value(of: Bytes(start: key.utf8Start, count: key.utf8CodeUnitCount))
  }

  private func value(of key: Bytes) -> Bytes? {
    var place = entries.count
    while place > 0 {
      place -= 1
      if entries[place].key.equals(key) { return Self.told(entries[place].value) }
    }
    return nil
  }

  private static func isNull(_ value: Bytes) -> Bool { value.has("null") }

  private static func told(_ value: Bytes?) -> Bytes? { value.flatMap { isNull($0) ? nil : $0 } }

  /// Reads an object; of a key that comes twice the last value counts.
  mutating func read(_ scanner: inout JSONScanner) throws(JSONError) {
    var entries: [(key: Bytes, value: Bytes)] = []
    entries.reserveCapacity(8)
    var table: [String: Bytes]?
    try scanner.object { scanner, key throws(JSONError) in
      let value = try scanner.value()
      if table == nil, key.hasEscapes || entries.count == Self.mostCompared {
        table = Dictionary(entries.map { ($0.key.string, $0.value) }) { $1 }
      }
      if table == nil {
        entries.append((key.bytes, value))
      } else {
        table?[try key.string()] = value
      }
    }
    (self.entries, self.table) = (table == nil ? entries : [], table)
  }

  /// Returns the string under `key`; `nil` if there is no value.
  func string(_ key: StaticString) throws(JSONError) -> String? {
    guard let value = value(of: key) else { return nil }
    var scanner = JSONScanner(value)
    guard try scanner.kind() == .string else { throw .wrongType(key, wanted: "a string") }
    return try scanner.string().string()
  }

  /// Returns the object under `key`; `nil` if there is none.
  func object(_ key: String) -> JSONFields? { JSONFields(self[key]) }

  /// Calls `body` with each element of the list under `key`, if there is one.
  func forEach(_ key: String, _ body: (Bytes) throws(JSONError) -> Void) throws(JSONError) {
    guard let list = self[key] else { return }
    var scanner = JSONScanner(list)
    guard try scanner.kind() == .array else { return }
    try scanner.array { scanner throws(JSONError) in try body(try scanner.value()) }
  }

  /// Returns what `body` makes of each object in the list under `key`, without those of which it makes nothing.
  ///
  /// - Throws: ``JSONError`` for an element that is no object, and what `body` throws.
  func map<Value>(
    _ key: String, _ body: (JSONFields) throws(JSONError) -> Value?
  ) throws(JSONError) -> [Value] {
    var values: [Value] = []
    try forEach(key) { element throws(JSONError) in
      if let value = try body(try JSONFields.reading(element)) { values.append(value) }
    }
    return values
  }

  /// Returns the strings in the list under `key`.
  func strings(_ key: String) throws(JSONError) -> [String] {
    var strings: [String] = []
    try forEach(key) { element throws(JSONError) in strings.append(try element.jsonString()) }
    return strings
  }

  /// Returns the first ``plainText(_:)`` that there is under one of `keys`.
  func firstText(_ keys: [String]) throws(JSONError) -> String? {
    for key in keys {
      if let text = try plainText(key) { return text }
    }
    return nil
  }

  /// Returns what a person would read under `key`: a string, a number, or the name in an object.
  func plainText(_ key: String) throws(JSONError) -> String? { try plainText(key, named: Self.names) }

  /// Returns what something or somebody is called under `key`: as ``plainText(_:)`` has it or, of an object without a name,
  /// its id.
  func label(_ key: String) throws(JSONError) -> String? { try plainText(key, named: Self.names + ["id"]) }

  private static let names = ["name", "display_name", "username", "nick"]

  private func plainText(_ key: String, named names: [String]) throws(JSONError) -> String? {
    guard let value = self[key] else { return nil }
    var scanner = JSONScanner(value)
    switch try scanner.kind() {
    case .string: return try scanner.string().string()
    case .number, .literal: return value.string
    case .array: return nil
    case .object:
      let inner = object(key)
      for name in names {
        if let found = try inner?.plainText(name, named: names) { return found }
      }
      return nil
    }
  }
}
