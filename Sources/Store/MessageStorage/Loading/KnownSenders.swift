struct KnownSenders: Sendable {
  private var plain: [UInt64: Entry] = [:]
  private var external: [ExternalKey: Int64] = [:]

  private struct Entry: Sendable {
    var name: [UInt8]
    var id: Int64
  }

  private struct ExternalKey: Hashable, Sendable {
    var name: String
    var external: String
  }

  private static let limit = 20_000

  mutating func id(
    _ name: UnsafeRawBufferPointer, hash: UInt64, external: String, make: (String) throws -> Int64
  ) rethrows -> Int64 {
    if !external.isEmpty { return try id(String(decoding: name, as: UTF8.self), external, make) }
    if let entry = plain[hash], entry.name.count == name.count,
      entry.name.withUnsafeBytes({ $0.elementsEqual(name) })
    {
      return entry.id
    }
    let id = try make(String(decoding: name, as: UTF8.self))
    if plain.count >= Self.limit { plain.removeAll() }
    plain[hash] = Entry(name: Array(name), id: id)
    return id
  }

  private mutating func id(
    _ name: String, _ external: String, _ make: (String) throws -> Int64
  ) rethrows -> Int64 {
    let key = ExternalKey(name: name, external: external)
    if let id = self.external[key] { return id }
    let id = try make(name)
    if self.external.count >= Self.limit { self.external.removeAll() }
    self.external[key] = id
    return id
  }
}
