#if os(Linux)
  internal import Foundation
  internal import MessageModel

  /// The events of files and folders that inotify reports, as long as this is held (inotify(7)).
  package final class SystemEvents: Sendable {
    /// Can be read when something has happened.
    package let descriptor: Int32

    /// Begins to watch nothing; `nil` if the system has no room for more.
    package init?() {
      descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      if descriptor < 0 { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Watches a file or folder, and returns the number of the watch; `nil` if that cannot be.
    ///
    /// - Parameter kinds: The kinds of events, as bits.
    package func watch(_ path: String, for kinds: Int32) -> Int32? {
      let number = PathBytes.withBytes(of: path) { inotify_add_watch(descriptor, $0, UInt32(kinds)) }
      return number < 0 ? nil : number
    }

    /// Ends a watch of what is not under its name any more. One that the system has ended by itself is left alone.
    package func endWatch(after event: SystemEvent) {
      if !event.isAny(of: IN_IGNORED) { inotify_rm_watch(descriptor, event.watch) }
    }

    /// Takes all events that wait, in their order.
    ///
    /// - Parameter body: What is done with each; its name is only there meanwhile.
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

  /// An event of a file or of a folder.
  package struct SystemEvent {
    /// The number of the watch.
    package let watch: Int32
    fileprivate let kind: UInt32
    fileprivate let name: UnsafeRawBufferPointer

    /// Whether it is of one of these kinds.
    package func isAny(of kinds: Int32) -> Bool { kind & UInt32(kinds) != 0 }

    /// Whether what was watched is not there any more, or not under its name.
    package var isOfWhatIsGone: Bool { isAny(of: IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) }

    /// The name of the file in the watched folder; empty for the watched thing itself.
    package var fileName: String {
      name.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress, characters.contains(0) else { return "" }
        return PathBytes.text(start)
      }
    }
  }
#endif
