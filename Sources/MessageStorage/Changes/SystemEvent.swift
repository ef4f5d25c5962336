#if os(Linux)
  internal import Foundation

  /// An event that inotify tells of a file or of a folder (inotify(7)).
  package struct SystemEvent {
    /// The number of the watch.
    package let watch: Int32
    /// Its kind, as bits.
    package let mask: UInt32
    /// The name of the file in the watched folder, ended by a zero; empty for the watched thing itself.
    package let name: UnsafeRawBufferPointer

    /// Reads all events that wait at a descriptor that does not make its readers wait, in their order.
    ///
    /// - Parameter body: What is done with each; its name is only there meanwhile.
    package static func readAll(from descriptor: Int32, _ body: (SystemEvent) -> Void) {
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
            body(SystemEvent(watch: event.wd, mask: event.mask, name: name))
            rest = UnsafeRawBufferPointer(rebasing: rest[end...])
          }
        }
      }
    }
  }
#endif
