/// The values of a JSON object by their keys, as the bytes that stand there; `null` is no value.
struct JSONFields {
  private var values: [String: Bytes] = [:]

  /// Creates an object without values.
  init() {}

  /// Reads the object that `bytes` are; `nil` if they are none.
  init?(_ bytes: Bytes?) {
    guard let bytes else { return nil }
    var scanner = JSONScanner(bytes)
    do throws(JSONError) { try read(&scanner) } catch { return nil }
  }

  /// The keys that have a value.
  var keys: some Collection<String> { values.keys }

  subscript(key: String) -> Bytes? { values[key] }

  /// Reads an object; of a key that comes twice the last value counts.
  mutating func read(_ scanner: inout JSONScanner) throws(JSONError) {
    var values: [String: Bytes] = [:]
    try scanner.object { scanner, key throws(JSONError) in
      let name = try key.string()
      let value = try scanner.value()
      values[name] = value.has("null") ? nil : value
    }
    self.values = values
  }

  /// Returns the string under `key`; `nil` if there is no value.
  func string(_ key: StaticString) throws(JSONError) -> String? {
    guard let value = values["\(key)"] else { return nil }
    var scanner = JSONScanner(value)
    guard try scanner.kind() == .string else { throw .wrongType(key, wanted: "a string") }
    return try scanner.string().string()
  }

  /// Returns the object under `key`; `nil` if there is none.
  func object(_ key: String) -> JSONFields? { JSONFields(values[key]) }

  /// Calls `body` with each element of the list under `key`, if there is one.
  func forEach(_ key: String, _ body: (Bytes) throws(JSONError) -> Void) throws(JSONError) {
    guard let list = values[key] else { return }
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
    guard let value = values[key] else { return nil }
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
