extension ColumnMap {
  /// The roles of an object's keys and of what lies on the paths that the user mapped.
  func roles(in fields: JSONFields) -> Set<Role> {
    var roles = Set(fields.keys.compactMap { role(of: $0)?.role })
    for (role, path) in paths where !roles.contains(role) {
      if let (inner, key) = fields.followed(path), inner[key] != nil { roles.insert(role) }
    }
    return roles
  }

  /// The elements of lists whose first element is a message with the same keys: `children`, `replies`. The last
  /// one comes first.
  func messages(within fields: JSONFields) -> [Bytes] {
    var found: [Bytes] = []
    var own: Set<String>?
    for key in fields.keys.reversed() {
      guard let list = fields[key], list.first == UInt8(ascii: "["), role(of: key) == nil,
        let first = Self.firstObject(of: list)
      else { continue }
      let wanted = own ?? messageKeys(of: fields)
      own = wanted
      guard !wanted.isEmpty, wanted.isSubset(of: messageKeys(of: first)) else { continue }
      var elements: [Bytes] = []
      try? fields.forEach(key) { elements.append($0) }
      found += elements.reversed()
    }
    return found
  }

  /// The keys that make an object a message; none if it has no time or no text.
  private func messageKeys(of fields: JSONFields) -> Set<String> {
    let keys = fields.keys.compactMap { key in role(of: key).map { (key, $0.role) } }
    let roles = Set(keys.map(\.1))
    guard roles.contains(.time), roles.contains(.text) else { return [] }
    // An answer has no conversation or reply where its message has one, and the other way round.
    return Set(keys.filter { $0.1 != .conversation && $0.1 != .reply }.map(\.0))
  }

  private static func firstObject(of list: Bytes) -> JSONFields? {
    var position = 1
    while position < list.count, list[position] <= 0x20 { position += 1 }
    guard position < list.count, list[position] == UInt8(ascii: "{") else { return nil }
    var scanner = JSONScanner(list.dropping(position))
    var fields = JSONFields()
    do throws(JSONError) { try fields.read(&scanner) } catch { return nil }
    return fields
  }
}

extension JSONFields {
  /// The object that holds the last key of a path.
  func followed(_ path: [String]) -> (fields: JSONFields, key: String)? {
    guard let last = path.last else { return nil }
    var fields = self
    for key in path.dropLast() {
      guard let inner = fields.object(key) else { return nil }
      fields = inner
    }
    return (fields, last)
  }
}
