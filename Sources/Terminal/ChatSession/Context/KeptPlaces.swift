package import MessageWindows
internal import Synchronization

/// The reader's place in each conversation by name, most recent last.
///
/// Copies of a session share it, as do later sessions.
package final class KeptPlaces: Sendable {
  package struct Place: Hashable, Sendable {
    package var position: WindowPosition
    var jumps = JumpHistory()
    /// Without a window, only going back returns to such a place.
    var isInWindow = true
  }

  /// Most recent last.
  private let places: Mutex<[(name: String, place: Place)]>

  private static let mostCount = 200

  /// Most recent last.
  package init(_ positions: [(name: String, position: WindowPosition)] = []) {
    places = Mutex(positions.suffix(Self.mostCount).map { ($0.name, Place(position: $0.position)) })
  }

  package subscript(name: String) -> Place? {
    places.withLock { places in places.last { $0.name == name }?.place }
  }

  func keep(_ place: Place, in name: String) {
    places.withLock { places in
      places.removeAll { $0.name == name }
      places.append((name, place))
      if places.count > Self.mostCount { places.removeFirst() }
    }
  }

  func rename(_ name: String, to other: String) {
    places.withLock { places in
      guard let index = places.lastIndex(where: { $0.name == name }) else { return }
      places[index].name = other
    }
  }

  package func forget(_ name: String) { places.withLock { $0.removeAll { $0.name == name } } }

  /// Most recent last.
  package var positions: [(name: String, position: WindowPosition)] {
    places.withLock { places in
      places.map { name, place in
        var position = place.position
        position.isFollowing = position.isFollowing || !place.isInWindow
        return (name, position)
      }
    }
  }

  /// Returns names with known places first, most recent before others.
  func recentFirst(_ names: [String]) -> [String] {
    let recent = places.withLock { $0.map(\.name) }
    let rank = Dictionary(zip(recent, recent.indices), uniquingKeysWith: { $1 })
    let known = names.filter { rank[$0] != nil }.sorted { rank[$0] ?? 0 > rank[$1] ?? 0 }
    return known + names.filter { rank[$0] == nil }
  }
}
