/// A JSON value to change at any path; parts that are not visited stay raw bytes.
indirect enum JSONTree {
  case raw([UInt8])
  case object(keys: [String], values: [String: JSONTree])
  case list([JSONTree])

  enum Step: Equatable {
    case key(String)
    case place(Int)
  }

  /// `nil` removes the value; a path that does not exist changes nothing.
  mutating func set(_ value: JSONTree?, at path: ArraySlice<Step>) throws(JSONError) {
    guard let step = path.first else {
      self = value ?? .raw(Array("null".utf8))
      return
    }
    try change(step) { inner throws(JSONError) in
      guard path.count > 1 else {
        inner = value
        return
      }
      try inner?.set(value, at: path.dropFirst())
    }
  }

  /// Appends values to the list at a path, after cutting it to `count` elements.
  mutating func push(_ values: [JSONTree], at path: ArraySlice<Step>, cutTo count: Int?) throws(JSONError) {
    guard let step = path.first else {
      try open()
      guard case .list(var elements) = self else { throw JSONError(reason: "it adds to what is not a list") }
      self = .raw([])
      if let count, count >= 0, count < elements.count { elements.removeLast(elements.count - count) }
      elements += values
      self = .list(elements)
      return
    }
    try change(step) { inner throws(JSONError) in
      if inner?.isNull != false, path.count == 1 { inner = .list([]) }
      try inner?.push(values, at: path.dropFirst(), cutTo: count)
    }
  }

  private var isNull: Bool {
    guard case .raw(let bytes) = self else { return false }
    return bytes.elementsEqual("null".utf8)
  }

  private mutating func change(
    _ step: Step, _ body: (inout JSONTree?) throws(JSONError) -> Void
  ) throws(JSONError) {
    try open()
    let opened = self
    self = .raw([])
    defer { if case .raw(let bytes) = self, bytes.isEmpty { self = opened } }
    switch (opened, step) {
    case (.object(var keys, var values), .key(let key)):
      var inner = values.removeValue(forKey: key)
      let wasThere = inner != nil
      try body(&inner)
      if inner != nil, !wasThere { keys.append(key) }
      if inner == nil, wasThere { keys.removeAll { $0 == key } }
      values[key] = inner
      self = .object(keys: keys, values: values)
    case (.list(var elements), .place(let place)) where elements.indices.contains(place):
      var inner: JSONTree? = elements[place]
      try body(&inner)
      elements[place] = inner ?? .raw(Array("null".utf8))
      self = .list(elements)
    case (.object, _), (.list, _), (.raw, _): self = opened
    }
  }

  private mutating func open() throws(JSONError) {
    guard case .raw(let bytes) = self else { return }
    self = try bytes.withRawBytes { bytes throws(JSONError) in try Self.opened(bytes) }
  }

  private static func opened(_ bytes: Bytes) throws(JSONError) -> JSONTree {
    var scanner = JSONScanner(bytes)
    switch try scanner.kind() {
    case .object:
      var (keys, values): ([String], [String: JSONTree]) = ([], [:])
      try scanner.object { scanner, key throws(JSONError) in
        let name = try key.string()
        if values.updateValue(.raw(Array(try scanner.value())), forKey: name) == nil { keys.append(name) }
      }
      return .object(keys: keys, values: values)
    case .array:
      var elements: [JSONTree] = []
      try scanner.array { scanner throws(JSONError) in elements.append(.raw(Array(try scanner.value()))) }
      return .list(elements)
    case .string, .number, .literal: return .raw(Array(bytes))
    }
  }

  mutating func value(_ key: String) throws(JSONError) -> JSONTree? {
    try open()
    guard case .object(_, let values) = self else { return nil }
    return values[key]
  }

  mutating func elements() throws(JSONError) -> [JSONTree] {
    try open()
    guard case .list(let elements) = self else { return [] }
    return elements
  }

  func write(to bytes: inout [UInt8]) {
    switch self {
    case .raw(let own): bytes += own
    case .list(let elements):
      bytes.append(UInt8(ascii: "["))
      for (place, element) in elements.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let keys, let values):
      bytes.append(UInt8(ascii: "{"))
      for (place, key) in keys.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        values[key]?.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ key: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in key.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension [UInt8] {
  func withRawBytes<Result>(_ body: (Bytes) throws(JSONError) -> Result) throws(JSONError) -> Result {
    let result: Swift.Result<Result, JSONError> = withUnsafeBytes { bytes in
      do throws(JSONError) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
