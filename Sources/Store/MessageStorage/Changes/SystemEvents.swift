#if os(Linux)
  internal import Foundation
  internal import MessageModel

  /// inotify(7) events of files and folders, while this object exists.
  package final class SystemEvents: Sendable {
    /// Readable when there are events.
    package let descriptor: Int32

    /// `nil` at the system's limit.
    package init?() {
      descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      if descriptor < 0 { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns the number of a watch, if it could be made.
    ///
    /// - Parameter kinds: The kinds of events, as bits.
    package func watch(_ path: String, for kinds: Int32) -> Int32? {
      let number = PathBytes.withBytes(of: path) { inotify_add_watch(descriptor, $0, UInt32(kinds)) }
      return number < 0 ? nil : number
    }

    /// Ends the watch of a moved or deleted file. The system may have ended it already.
    package func endWatch(after event: SystemEvent) {
      if !event.isAny(of: IN_IGNORED) { inotify_rm_watch(descriptor, event.watch) }
    }

    /// Reads all waiting events. An event's name is valid during `body` only.
    package func takeAll(_ body: (SystemEvent) -> Void) {
      withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 8) { buffer in
        while true {
          let count = read(descriptor, buffer.baseAddress, buffer.count)
          guard count > 0 else { return }
          var rest = UnsafeRawBufferPointer(rebasing: buffer[..<count])
          let header = MemoryLayout<inotify_event>.size
          while rest.count >= header {
            let event = rest.loadUnaligned(as: inotify_event.self)
            let end = min(header + Int(event.len), rest.count)
            let name = UnsafeRawBufferPointer(rebasing: rest[header..<end])
            body(SystemEvent(watch: event.wd, kind: event.mask, name: name))
            rest = UnsafeRawBufferPointer(rebasing: rest[end...])
          }
        }
      }
    }
  }

  package struct SystemEvent {
    package let watch: Int32
    fileprivate let kind: UInt32
    fileprivate let name: UnsafeRawBufferPointer

    package func isAny(of kinds: Int32) -> Bool { kind & UInt32(kinds) != 0 }

    /// Whether the watched file or folder was deleted or moved.
    package var isOfWhatIsGone: Bool { isAny(of: IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) }

    /// The name of the file in the watched folder; empty for the watched item itself.
    package var fileName: String {
      name.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress, characters.contains(0) else { return "" }
        return PathBytes.text(start)
      }
    }
  }
#endif
