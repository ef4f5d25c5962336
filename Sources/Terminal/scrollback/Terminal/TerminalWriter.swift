internal import Foundation

struct TerminalWriter {
  let descriptor: Int32

  func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Foundation.write(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
        if count > 0 {
          sent += count
        } else if errno == EAGAIN {
          var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&ready, 1, 1_000)
        } else if errno != EINTR {
          return
        }
      }
    }
  }
}
