import Foundation
import MessageModel
import TestSupport

/// The server in a process of its own.
final class ServerProcess {
  private let process = Process()
  let port: Int
  let key: String

  /// Starts the server of a store, and returns once it listens.
  ///
  /// - Parameters:
  ///   - program: The words that start Scrollback, and whatever it is to run in.
  ///   - errors: The sink of what is said besides; `nil` for that of this process.
  init(
    store: String, by program: [String] = [BuiltProduct.path(of: "scrollback")], errors: FileHandle? = nil
  ) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program[0])
    process.arguments = program.dropFirst() + ["serve-process", "--store", store]
    process.standardOutput = output
    if let errors { process.standardError = errors }
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let url = URL(string: line.trimmingCharacters(in: .newlines)), let port = url.port else {
      throw Program.Failure("the server says '\(line)'")
    }
    (self.port, key) = (port, url.lastPathComponent)
  }

  /// The most memory that it held.
  var peakByteCount: Int { Memory.peak(of: process.processIdentifier) }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}

/// A client that asks for one thing at a time.
final class ServerClient {
  let socket: Int32
  private let head: String
  private var bytes: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  /// The bytes of the answer that is coming, once its head has come.
  private var wantedCount: Int?
  private var start = ContinuousClock.now

  /// - Parameter roomByteCount: The bytes that the system takes in before this reads them; `nil` as it likes.
  init(_ server: ServerProcess, roomByteCount: Int32? = nil) throws {
    head = "GET /\(server.key)/"
    end = " HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
    #if os(Linux)
      socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    if var roomByteCount {
      setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &roomByteCount, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(server.port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Program.Failure("cannot connect to the server") }
  }

  private let end: String

  deinit { close(socket) }

  func send(_ address: String) throws {
    let request = Array("\(head)\(address)\(end)".utf8)
    start = .now
    guard Foundation.send(socket, request, request.count, 0) == request.count else {
      throw Program.Failure("the server takes no request")
    }
  }

  private func read() throws {
    let count = recv(socket, &buffer, buffer.count, 0)
    guard count > 0 else { throw Program.Failure("the server has closed a connection") }
    bytes += buffer[..<count]
  }

  /// Reads what has come; how long the answer took if that is all of it.
  func receive() throws -> Duration? {
    try read()
    if wantedCount == nil { wantedCount = try answerByteCount() }
    guard let wantedCount, bytes.count >= wantedCount else { return nil }
    let time = .now - start
    bytes.removeAll(keepingCapacity: true)
    self.wantedCount = nil
    return time
  }

  /// The bytes of the answer with its head; `nil` if that has not come whole. It is sought by the byte: the client has the same
  /// two processors as the server.
  private func answerByteCount() throws -> Int? {
    guard let bodyStart = end(of: "\r\n\r\n") else { return nil }
    guard bytes.starts(with: "HTTP/1.1 200".utf8), let lengthStart = end(of: "\r\nContent-Length: "),
      let count = Int(String(decoding: bytes[lengthStart...].prefix { $0 != 13 }, as: UTF8.self))
    else {
      throw Program.Failure(
        "the server answers '\(String(decoding: bytes[..<bodyStart], as: UTF8.self))'")
    }
    return bodyStart + count
  }

  /// The place behind the first occurrence of a text.
  private func end(of text: StaticString) -> Int? {
    let wanted = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard bytes.count >= wanted.count else { return nil }
    return bytes.withUnsafeBytes { bytes in
      (wanted.count...bytes.count).first { bytes[($0 - wanted.count)..<$0].elementsEqual(wanted) }
    }
  }

  /// Asks for something, and waits for all of the answer.
  func ask(_ address: String) throws {
    try send(address)
    while try receive() == nil {}
  }

  /// Reads until a text has come.
  func wait(for text: String) throws {
    let wanted = Array(text.utf8)
    while true {
      if let found = bytes.firstRange(of: wanted) {
        bytes.removeSubrange(..<found.upperBound)
        return
      }
      try read()
    }
  }
}

/// Clients that ask for much: one half reads a byte now and then, the other nothing.
struct SlowReaders {
  private static let pause = Duration.milliseconds(10)
  private let clients: [ServerClient]
  private var readAt = ContinuousClock.now

  init(count: Int, of server: ServerProcess, _ conversation: Conversation.ID) throws {
    clients = try (0..<count).map { index in
      let client = try ServerClient(server, roomByteCount: 4_096)
      let question = index.isMultiple(of: 2) ? "api/page?limit=1000&" : "document?"
      try client.send("\(question)conversationID=\(conversation.rawValue)")
      return client
    }
  }

  /// Reads a byte of each that reads, if it is time.
  mutating func read() {
    guard .now - readAt >= Self.pause else { return }
    readAt = .now
    var byte: UInt8 = 0
    for index in stride(from: 0, to: clients.count, by: 2) {
      _ = recv(clients[index].socket, &byte, 1, Int32(MSG_DONTWAIT))
    }
  }
}
