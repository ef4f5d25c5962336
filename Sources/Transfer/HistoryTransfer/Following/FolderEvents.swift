internal import CFiles
internal import Foundation
internal import MessageModel
internal import MessageStorage

/// The events of folders, as the system tells them: inotify on Linux. Elsewhere, on network file systems and where the system
/// has no room for more, nothing is told, and whoever wants to know looks.
final class FolderEvents {
  /// A thing that happened.
  enum Event: Hashable {
    /// A file in a folder was made, written to, moved or removed.
    case file(folder: String, name: String)
    /// A folder in a folder was made, moved or removed, or a folder is not there any more.
    case folders(in: String)
    /// More happened than the system could hold.
    case overflow
  }

  #if os(Linux)
    private let system: SystemEvents?
    private var folders: [Int32: String] = [:]
    private var numbers: [String: Int32] = [:]
    private static let kinds =
      IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
      | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR

    /// - Parameter areTold: Whether the system is asked to tell them.
    init(areTold: Bool = true) { system = areTold ? SystemEvents() : nil }

    /// The descriptor that can be read when something has happened; -1 if nothing is ever told.
    var descriptor: Int32 { system?.descriptor ?? -1 }

    /// Watches a folder; returns whether what happens in it will be told.
    func watch(_ folder: String) -> Bool {
      if numbers[folder] != nil { return true }
      guard let system, PathBytes.withBytes(of: folder, { cfiles_is_remote($0) }) == 0,
        let number = system.watch(folder, for: Self.kinds)
      else { return false }
      // The same folder under another name.
      if let former = folders[number] { numbers[former] = nil }
      folders[number] = folder
      numbers[folder] = number
      return true
    }

    /// Returns what has happened, each thing once.
    func taken() -> Set<Event> {
      var events: Set<Event> = []
      system?.takeAll { note($0, &events) }
      return events
    }

    private func note(_ event: SystemEvent, _ events: inout Set<Event>) {
      if event.isAny(of: IN_Q_OVERFLOW) { events.insert(.overflow) }
      guard let folder = folders[event.watch] else { return }
      if event.isOfWhatIsGone {
        // Under its name there may be another one.
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
