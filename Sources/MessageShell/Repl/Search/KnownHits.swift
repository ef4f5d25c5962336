internal import MessageModel

/// Hits next to each other that have been read already: going from one to the next reads nothing.
struct KnownHits: Hashable, Sendable {
  /// Oldest first; there is no other hit between the first and the last.
  private var ids: [Message.ID]
  /// The directions in which there are no others.
  private var ends: Set<HistoryView.Direction> = []
  /// The directions in which more are being read.
  private var reading: Set<HistoryView.Direction> = []

  /// The number read at once, and the number left at which more are read.
  static let pageCount = 128
  private static let fewCount = 32
  /// The most that are kept behind the reader.
  private static let mostCount = 1_024

  /// Creates what is known of one hit.
  init(_ hit: Message.ID) { ids = [hit] }

  /// Returns the next hit in a direction from a place; `nil` if it is not known.
  func next(_ direction: HistoryView.Direction, of place: Message.ID) -> Message.ID? {
    guard let first = ids.first, let last = ids.last, ClosedRange(from: first, to: last).contains(place)
    else { return nil }
    switch direction {
    case .older: return ids[..<(ids.partitioningIndex { $0 >= place })].last
    case .newer: return ids[(ids.partitioningIndex { $0 > place })...].first
    }
  }

  /// Whether a message is among them.
  func contains(_ id: Message.ID) -> Bool {
    let index = ids.partitioningIndex { $0 >= id }
    return index < ids.count && ids[index] == id
  }

  /// The places from which more have to be read for who is at `place`.
  mutating func wanted(at place: Message.ID) -> [(direction: HistoryView.Direction, of: Message.ID)] {
    guard let first = ids.first, let last = ids.last else { return [] }
    let index = ids.partitioningIndex { $0 >= place }
    var wanted: [(HistoryView.Direction, Message.ID)] = []
    if index < Self.fewCount, isOpen(.older) { wanted.append((.older, first)) }
    if ids.count - index <= Self.fewCount, isOpen(.newer) { wanted.append((.newer, last)) }
    reading.formUnion(wanted.map(\.0))
    return wanted.map { ($0.0, of: $0.1) }
  }

  private func isOpen(_ direction: HistoryView.Direction) -> Bool {
    !ends.contains(direction) && !reading.contains(direction)
  }

  /// Takes in what was read from the last one in a direction, the nearest first.
  ///
  /// - Parameter hits: `nil` if they could not be read.
  mutating func take(_ hits: [Message.ID]?, _ direction: HistoryView.Direction) {
    reading.remove(direction)
    guard let hits, let first = ids.first, let last = ids.last else { return }
    if hits.count < Self.pageCount { ends.insert(direction) }
    switch direction {
    case .older:
      ids = hits.filter { $0 < first }.reversed() + ids
      if ids.count > Self.mostCount { forget(.newer, ids.count - Self.mostCount) }
    case .newer:
      ids += hits.filter { $0 > last }
      if ids.count > Self.mostCount { forget(.older, ids.count - Self.mostCount) }
    }
  }

  /// Takes in the next hit in a direction from a place, if that is where what is known ends.
  mutating func add(_ hit: Message.ID, _ direction: HistoryView.Direction, of place: Message.ID) {
    switch direction {
    case .older: if place == ids.first { ids.insert(hit, at: 0) }
    case .newer: if place == ids.last { ids.append(hit) }
    }
  }

  private mutating func forget(_ direction: HistoryView.Direction, _ count: Int) {
    // What is being read in that direction would leave a gap.
    guard !reading.contains(direction) else { return }
    ends.remove(direction)
    if direction == .older { ids.removeFirst(count) } else { ids.removeLast(count) }
  }
}

extension Array where Element: Comparable {
  /// The index of the first element for which a condition holds that holds for all behind it.
  fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
