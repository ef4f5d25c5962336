internal import MessageModel
internal import Synchronization

/// A cache of ordinals within blocks, from which nearby places are counted; valid for one state of the store.
final class BlockMarks: Sendable {
  struct Mark: Hashable, Sendable {
    var id: Int64
    var before: Int
  }

  final class Room: Sendable {
    /// Of 16 bytes each, for all scopes together.
    private static let limit = 1 << 16
    private let taken = Atomic<Int>(0)

    fileprivate func take() -> Bool { taken.add(1, ordering: .relaxed).newValue <= Self.limit }
  }

  private let room: Room
  /// Ascending, by the first id of their block.
  private let marks = Mutex<[Int64: [Mark]]>([:])

  init(_ room: Room) { self.room = room }

  func neighbours(of id: Int64, inBlock first: Int64) -> (older: Mark?, newer: Mark?) {
    marks.withLock { marks in
      guard let known = marks[first] else { return (nil, nil) }
      let next = known.partitioningIndex { $0.id > id }
      return (next > 0 ? known[next - 1] : nil, next < known.count ? known[next] : nil)
    }
  }

  func note(_ mark: Mark, inBlock first: Int64) {
    guard room.take() else { return }
    marks.withLock { marks in
      let next = marks[first]?.partitioningIndex { $0.id >= mark.id } ?? 0
      if let known = marks[first], next < known.count, known[next].id == mark.id { return }
      marks[first, default: []].insert(mark, at: next)
    }
  }
}
