internal import MessageModel

/// The pairing of an interval's messages in the store with those in a file, where some are equal.
///
/// A piece of a log may begin in the middle of a minute in which somebody said the same twice; its first "yes" is
/// then perhaps the store's second. As for lines of two versions of a text, the longest common subsequence tells.
struct Alignment {
  /// The message of the store that each one of the file is; `nil` for those that are new.
  private(set) var known: [Message.ID?]
  /// The indices in the file of those on whose order the file and the store agree.
  private(set) var agreeing: Set<Int> = []

  /// Aligns two sequences, or returns `nil` if they are so long that it would cost too much.
  ///
  /// - Parameters:
  ///   - file: A hash of each message of the file, equal for equal ones.
  ///   - store: The messages of the store that equal any of them, with their hashes, by id.
  /// - Complexity: O(*file* × *store*), at most ``limit``.
  init?(file: [UInt64], store: [(id: Message.ID, hash: UInt64)]) {
    guard file.count * store.count <= Self.limit else { return nil }
    known = Array(repeating: nil, count: file.count)
    var isTaken = Array(repeating: false, count: store.count)
    for (index, place) in Self.longestCommon(file, store.map(\.hash)) {
      known[index] = store[place].id
      agreeing.insert(index)
      isTaken[place] = true
    }
    // What is left on both sides is there too, only in another order.
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
