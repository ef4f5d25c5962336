internal import MessageModel

/// Pairs an interval's messages in a file with those in the store, where some are equal. A file may begin
/// within a minute in which the same text was written twice; its first "yes" may then be the store's second.
/// The longest common subsequence decides.
struct Alignment {
  private(set) var known: [Message.ID?]
  private(set) var agreeing: Set<Int> = []

  /// `file` has a hash of each message, `store` the stored messages with any of these, by id. `nil` if the
  /// product of both lengths exceeds ``limit``.
  init?(file: [UInt64], store: [(id: Message.ID, hash: UInt64)]) {
    guard file.count * store.count <= Self.limit else { return nil }
    known = Array(repeating: nil, count: file.count)
    var isTaken = Array(repeating: false, count: store.count)
    for (index, place) in Self.longestCommon(file, store.map(\.hash)) {
      known[index] = store[place].id
      agreeing.insert(index)
      isTaken[place] = true
    }
    // The remaining equal messages are the same ones in another order.
    var rest: [UInt64: [Message.ID]] = [:]
    for place in store.indices.reversed() where !isTaken[place] {
      rest[store[place].hash, default: []].append(store[place].id)
    }
    for index in file.indices where known[index] == nil { known[index] = rest[file[index]]?.popLast() }
  }

  private static let limit = 4_000_000

  private static func longestCommon(_ a: [UInt64], _ b: [UInt64]) -> [(Int, Int)] {
    let width = b.count + 1
    var lengths = [Int32](repeating: 0, count: (a.count + 1) * width)
    for i in a.indices.reversed() {
      for j in b.indices.reversed() {
        let here = i * width + j
        lengths[here] =
          a[i] == b[j]
          ? lengths[here + width + 1] + 1 : max(lengths[here + width], lengths[here + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      if a[i] == b[j] {
        pairs.append((i, j))
        i += 1
        j += 1
      } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }
}
