internal import Foundation
package import MessageWindows
internal import Synchronization

/// The state kept between runs: typed lines, each store's last open conversation, and the reader's places.
package struct StateFolder: Sendable {
  package let path: String

  /// `$XDG_STATE_HOME/scrollback` or the platform's equivalent.
  package init(environment: [String: String]) {
    #if os(macOS)
      path = (environment["HOME"] ?? NSHomeDirectory()) + "/Library/Application Support/scrollback"
    #else
      if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
        path = folder + "/scrollback"
      } else {
        path = (environment["HOME"] ?? NSHomeDirectory()) + "/.local/state/scrollback"
      }
    #endif
  }

  /// The file of typed lines, in a folder only its owner can read; `nil` if that cannot be created.
  package func historyFile() -> String? { make() ? path + "/history" : nil }

  package func lastOpen(in store: String) -> String? {
    entries().last { $0.store == store }?.conversation
  }

  package func rememberOpen(_ conversation: String, in store: String) {
    let kept = entries().filter { $0.store != store }.suffix(99) + [(store, conversation)]
    write(kept.map { "\($0.0)\0\($0.1)\0" }.joined(), to: "last-open")
  }

  package func places(in store: String) -> KeptPlaces {
    let beginning = store + "\n"
    return KeptPlaces(
      pairs(in: "places").compactMap { place, position in
        guard place.hasPrefix(beginning), let position = WindowPosition(position) else { return nil }
        return (String(place.dropFirst(beginning.count)), position)
      })
  }

  /// Saves the places for a store, keeping those for others.
  package func remember(_ places: KeptPlaces, in store: String) {
    let beginning = store + "\n"
    let others = pairs(in: "places").filter { !$0.0.hasPrefix(beginning) }.suffix(Self.mostOtherPlaces)
    let own = places.positions.map { (beginning + $0.name, $0.position.description) }
    write((others + own).map { "\($0.0)\0\($0.1)\0" }.joined(), to: "places")
  }

  private static let mostOtherPlaces = 1_000

  private func entries() -> [(store: String, conversation: String)] { pairs(in: "last-open") }

  var formerSettings: [String: String] { pairs(in: "settings").reduce(into: [:]) { $0[$1.0] = $1.1 } }

  /// They are in ``ConfigFile`` now.
  func removeFormerSettings() { try? FileManager.default.removeItem(atPath: path + "/settings") }

  /// Pairs of values, each ended by a zero byte.
  private func pairs(in name: String) -> [(String, String)] {
    guard let data = FileManager.default.contents(atPath: path + "/" + name) else { return [] }
    let parts = String(decoding: data, as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false)
    return stride(from: 0, to: parts.count - 1, by: 2).map { (String(parts[$0]), String(parts[$0 + 1])) }
  }

  private func write(_ text: String, to name: String) {
    let file = path + "/" + name
    // Mostly unchanged: writing a file waits for the disk.
    guard FileManager.default.contents(atPath: file) != Data(text.utf8), make() else { return }
    guard (try? Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)) != nil else {
      return
    }
    try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
  }

  private func make() -> Bool {
    (try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])) != nil
  }
}

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
