package import MessageWindows
internal import Synchronization

/// The place where a reader was in each conversation, by name: they return there. The last ones are kept.
///
/// It is shared by all who look at the same session, and by those that come after it.
package final class KeptPlaces: Sendable {
  /// A place, and where jumps began that led there.
  package struct Place: Hashable, Sendable {
    package var position: WindowPosition
    var jumps = JumpHistory()
    /// Whether it was in a window: who is printed messages comes back to it only by going back.
    var isInWindow = true
  }

  /// The one that was left last is last.
  private let places: Mutex<[(name: String, place: Place)]>

  /// The most conversations whose places are kept.
  private static let mostCount = 200

  /// Creates places that were kept in earlier runs, the last one last.
  package init(_ positions: [(name: String, position: WindowPosition)] = []) {
    places = Mutex(positions.suffix(Self.mostCount).map { ($0.name, Place(position: $0.position)) })
  }

  /// The place in a conversation; `nil` if none is kept.
  package subscript(name: String) -> Place? {
    places.withLock { places in places.last { $0.name == name }?.place }
  }

  /// Keeps a place: it is the last one now.
  func keep(_ place: Place, in name: String) {
    places.withLock { places in
      places.removeAll { $0.name == name }
      places.append((name, place))
      if places.count > Self.mostCount { places.removeFirst() }
    }
  }

  /// Keeps the place in a conversation under its new name.
  func rename(_ name: String, to other: String) {
    places.withLock { places in
      guard let index = places.lastIndex(where: { $0.name == name }) else { return }
      places[index].name = other
    }
  }

  /// Forgets the place in a conversation: it is opened at its newest message.
  package func forget(_ name: String) { places.withLock { $0.removeAll { $0.name == name } } }

  /// All positions, the last one last.
  package var positions: [(name: String, position: WindowPosition)] {
    places.withLock { places in
      places.map { name, place in
        var position = place.position
        position.isFollowing = position.isFollowing || !place.isInWindow
        return (name, position)
      }
    }
  }

  /// Returns names with those first whose places are kept, the last one first.
  func recentFirst(_ names: [String]) -> [String] {
    let recent = places.withLock { $0.map(\.name) }
    let rank = Dictionary(zip(recent, recent.indices), uniquingKeysWith: { $1 })
    let known = names.filter { rank[$0] != nil }.sorted { rank[$0] ?? 0 > rank[$1] ?? 0 }
    return known + names.filter { rank[$0] == nil }
  }
}
