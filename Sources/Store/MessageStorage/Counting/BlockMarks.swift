internal import MessageModel
internal import Synchronization

/// The places within blocks of a scope up to which messages were counted, for as long as the store stays as it is: from the
/// nearest of them on it is a short way to a place beside it.
final class BlockMarks: Sendable {
  /// A place, and how many messages of its block have a lesser id.
  struct Mark: Hashable, Sendable {
    var id: Int64
    var before: Int
  }

  /// The number of places that may still be kept, of all scopes together.
  final class Room: Sendable {
    /// The most places, of 16 bytes each.
    private static let limit = 1 << 16
    private let taken = Atomic<Int>(0)

    fileprivate func take() -> Bool { taken.add(1, ordering: .relaxed).newValue <= Self.limit }
  }

  private let room: Room
  /// The places in each block by its first id, in their order.
  private let marks = Mutex<[Int64: [Mark]]>([:])

  init(_ room: Room) { self.room = room }

  /// Returns the places at an id or before it and behind it that are next to it in a block.
  func neighbours(of id: Int64, inBlock first: Int64) -> (older: Mark?, newer: Mark?) {
    marks.withLock { marks in
      guard let known = marks[first] else { return (nil, nil) }
      let next = known.partitioningIndex { $0.id > id }
      return (next > 0 ? known[next - 1] : nil, next < known.count ? known[next] : nil)
    }
  }

  /// Keeps a place, if there is room.
  func note(_ mark: Mark, inBlock first: Int64) {
    guard room.take() else { return }
    marks.withLock { marks in
      let next = marks[first]?.partitioningIndex { $0.id >= mark.id } ?? 0
      if let known = marks[first], next < known.count, known[next].id == mark.id { return }
      marks[first, default: []].insert(mark, at: next)
    }
  }
}
