/// A JSON object's values by key, as raw bytes; `null` counts as missing.
struct JSONFields {
  /// In the object's order: with few keys, comparing is faster than hashing.
  private var entries: [(key: Bytes, value: Bytes)] = []
  private var table: [String: Bytes]?

  private static let mostCompared = 24

  init() {}

  init?(_ bytes: Bytes?) {
    guard let bytes else { return nil }
    var scanner = JSONScanner(bytes)
    do throws(JSONError) { try read(&scanner) } catch { return nil }
  }

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

  func string(_ key: StaticString) throws(JSONError) -> String? {
    guard let value = value(of: key) else { return nil }
    var scanner = JSONScanner(value)
    guard try scanner.kind() == .string else { throw .wrongType(key, wanted: "a string") }
    return try scanner.string().string()
  }

  func object(_ key: String) -> JSONFields? { JSONFields(self[key]) }

  func forEach(_ key: String, _ body: (Bytes) throws(JSONError) -> Void) throws(JSONError) {
    guard let list = self[key] else { return }
    var scanner = JSONScanner(list)
    guard try scanner.kind() == .array else { return }
    try scanner.array { scanner throws(JSONError) in try body(try scanner.value()) }
  }

  /// Throws for an element that is not an object; leaves out `nil` results.
  func map<Value>(
    _ key: String, _ body: (JSONFields) throws(JSONError) -> Value?
  ) throws(JSONError) -> [Value] {
    var values: [Value] = []
    try forEach(key) { element throws(JSONError) in
      if let value = try body(try JSONFields.reading(element)) { values.append(value) }
    }
    return values
  }

  func strings(_ key: String) throws(JSONError) -> [String] {
    var strings: [String] = []
    try forEach(key) { element throws(JSONError) in strings.append(try element.jsonString()) }
    return strings
  }

  func firstText(_ keys: [String]) throws(JSONError) -> String? {
    for key in keys {
      if let text = try plainText(key) { return text }
    }
    return nil
  }

  /// The string, the number, or the name in the object under `key`.
  func plainText(_ key: String) throws(JSONError) -> String? { try plainText(key, named: Self.names) }

  /// Like ``plainText(_:)``, but falls back to the object's id.
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
