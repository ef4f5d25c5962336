internal import CFiles
internal import Foundation
internal import MessageModel
internal import MessageStorage

/// File system events from the system: inotify on Linux. Elsewhere, on network file systems and beyond the
/// system's limit of watches there are none, and the caller must poll.
final class FolderEvents {
  enum Event: Hashable {
    /// A file in a folder was created, written to, moved or removed.
    case file(folder: String, name: String)
    /// A subfolder was created, moved or removed, or the folder itself disappeared.
    case folders(in: String)
    /// The system dropped events.
    case overflow
  }

  #if os(Linux)
    private let system: SystemEvents?
    private var folders: [Int32: String] = [:]
    private var numbers: [String: Int32] = [:]
    private static let kinds =
      IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
      | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR

    init(areTold: Bool = true) { system = areTold ? SystemEvents() : nil }

    /// Readable when there are events; -1 if there never are.
    var descriptor: Int32 { system?.descriptor ?? -1 }

    func watch(_ folder: String) -> Bool {
      if numbers[folder] != nil { return true }
      guard let system, PathBytes.withBytes(of: folder, { cfiles_is_remote($0) }) == 0,
        let number = system.watch(folder, for: Self.kinds)
      else { return false }
      // The same folder under a former name.
      if let former = folders[number] { numbers[former] = nil }
      folders[number] = folder
      numbers[folder] = number
      return true
    }

    func taken() -> Set<Event> {
      var events: Set<Event> = []
      system?.takeAll { note($0, &events) }
      return events
    }

    private func note(_ event: SystemEvent, _ events: inout Set<Event>) {
      if event.isAny(of: IN_Q_OVERFLOW) { events.insert(.overflow) }
      guard let folder = folders[event.watch] else { return }
      if event.isOfWhatIsGone {
        // Another folder may have taken its name.
        system?.endWatch(after: event)
        folders[event.watch] = nil
        numbers[folder] = nil
        events.insert(.folders(in: folder))
      } else if event.isAny(of: IN_ISDIR) {
        events.insert(.folders(in: folder))
      } else {
        events.insert(.file(folder: folder, name: event.fileName))
      }
    }
  #else
    let descriptor: Int32 = -1

    init(areTold: Bool = true) {}

    func watch(_ folder: String) -> Bool { false }

    func taken() -> Set<Event> { [] }
  #endif
}
