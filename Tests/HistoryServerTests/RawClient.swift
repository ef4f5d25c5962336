import Foundation
import Testing

/// A client that sends what it is told to, be it HTTP or not, and waits for answers.
final class RawClient {
  private let socket: Int32
  private var unread: [UInt8] = []
  private var isAtEnd = false

  struct Response {
    var status = 0
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }

    func values(_ name: String) -> [String] {
      fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    subscript(_ name: String) -> String? { values(name).first }
  }

  struct Failure: Error {
    var reason: String
  }

  /// Connects.
  ///
  /// - Parameter roomByteCount: The bytes that the system takes in before this reads them; `nil` as it likes.
  init(port: Int, host: String = "127.0.0.1", roomByteCount: Int32? = nil) throws {
    #if os(Linux)
      socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    if var roomByteCount {
      setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &roomByteCount, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(reason: String(cString: strerror(errno))) }
  }

  deinit {
    // The end is to be heard by the server although a process that another test just starts has the socket, too.
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
  }

  /// Sends bytes, as many as the other side takes.
  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Reads what has come, or waits for it; whether there was anything.
  private func read() throws -> Bool {
    guard !isAtEnd else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &buffer, buffer.count, 0)
    guard count > 0 else {
      isAtEnd = true
      return false
    }
    unread += buffer[..<count]
    return true
  }

  private func line() throws -> String {
    while true {
      if let end = unread.firstIndex(of: 0x0A) {
        defer { unread.removeFirst(end + 1) }
        return String(decoding: unread[..<end], as: UTF8.self).trimmingCharacters(in: ["\r"])
      }
      guard try read() else { throw Failure(reason: "the connection has ended") }
    }
  }

  private func bytes(_ count: Int) throws -> [UInt8] {
    while unread.count < count {
      guard try read() else { throw Failure(reason: "the connection has ended early") }
    }
    defer { unread.removeFirst(count) }
    return Array(unread[..<count])
  }

  /// Whether the other side closes, whatever it sends before.
  func isClosed() throws -> Bool {
    while try read() { unread = [] }
    return true
  }

  /// Reads an answer, without its body if it comes in chunks.
  func response(to method: String = "GET") throws -> Response {
    var response = Response()
    let first = try line().split(separator: " ")
    response.status = first.count > 1 ? Int(first[1]) ?? 0 : 0
    while case let field = try line(), !field.isEmpty {
      let name = field.prefix { $0 != ":" }
      response.fields.append((String(name), field.dropFirst(name.count + 1).trimmingCharacters(in: [" "])))
    }
    if method != "HEAD", response.status != 304, let count = response["Content-Length"].flatMap({ Int($0) }) {
      response.body = try bytes(count)
    }
    return response
  }

  /// Reads a piece of an answer that comes in chunks.
  func chunk() throws -> String {
    let count = Int(try line(), radix: 16) ?? 0
    let text = String(decoding: try bytes(count), as: UTF8.self)
    _ = try line()
    return text
  }
}
