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

  /// The descriptor that can be read when something has happened; -1 if nothing is ever told.
  let descriptor: Int32
  private var folders: [Int32: String] = [:]
  private var numbers: [String: Int32] = [:]

  #if os(Linux)
    private static let mask =
      UInt32(IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
      | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    /// - Parameter areTold: Whether the system is asked to tell them.
    init(areTold: Bool = true) {
      descriptor = areTold ? inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) : -1
    }

    /// Watches a folder; returns whether what happens in it will be told.
    func watch(_ folder: String) -> Bool {
      if numbers[folder] != nil { return true }
      guard descriptor >= 0, PathBytes.withBytes(of: folder, { cfiles_is_remote($0) }) == 0 else {
        return false
      }
      let number = PathBytes.withBytes(of: folder) { inotify_add_watch(descriptor, $0, Self.mask) }
      guard number >= 0 else { return false }
      // The same folder under another name.
      if let former = folders[number] { numbers[former] = nil }
      folders[number] = folder
      numbers[folder] = number
      return true
    }

    /// Returns what has happened, each thing once.
    func taken() -> Set<Event> {
      var events: Set<Event> = []
      guard descriptor >= 0 else { return events }
      SystemEvent.readAll(from: descriptor) { note($0, &events) }
      return events
    }

    /// The name in an event, which ends with a zero.
    private static func text(_ name: UnsafeRawBufferPointer) -> String {
      name.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress, characters.contains(0) else { return "" }
        return PathBytes.text(start)
      }
    }

    private func note(_ event: SystemEvent, _ events: inout Set<Event>) {
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { events.insert(.overflow) }
      guard let folder = folders[event.watch] else { return }
      if event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0 {
        // Under its name there may be another one.
        if event.mask & UInt32(IN_IGNORED) == 0 { inotify_rm_watch(descriptor, event.watch) }
        folders[event.watch] = nil
        numbers[folder] = nil
        events.insert(.folders(in: folder))
      } else if event.mask & UInt32(IN_ISDIR) != 0 {
        events.insert(.folders(in: folder))
      } else {
        events.insert(.file(folder: folder, name: Self.text(event.name)))
      }
    }
  #else
    init(areTold: Bool = true) { descriptor = -1 }

    func watch(_ folder: String) -> Bool { false }

    func taken() -> Set<Event> { [] }
  #endif

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
