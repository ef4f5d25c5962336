import Foundation
import MessageModel
import MessageSourceTesting
import MessageStorage
import TestSupport

/// The server of `scrollback serve`: pages for many clients at once, and how soon they hear of an append.
struct ServerScenarios {
  let setting: Setting

  private static let clientCount = 50

  /// A page of 50 anywhere in a conversation, asked for again and again by each client, as soon as it has the last one.
  func pages() throws -> [Finding] {
    let path = try setting.store()
    let conversation = try Self.conversation(in: path)
    let server = try ServerProcess(store: path)
    defer { server.stop() }
    let clients = try (0..<Self.clientCount).map { _ in try ServerClient(server) }
    var numbers = SeededGenerator(seed: 7)
    var ours = Measurement()
    func ask(_ index: Int) throws {
      let number = Int.random(in: 1...setting.size, using: &numbers)
      try clients[index].send("api/page?conversationID=\(conversation.rawValue)&at=number:\(number)&limit=50")
    }
    let roundCount = setting.depth.times(400, quick: 40)
    var left = Self.clientCount * (roundCount + 1)
    // The first of each opens what the server needs for it.
    for index in clients.indices { try ask(index) }
    while left > 0 {
      var ready = clients.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
      guard poll(&ready, nfds_t(ready.count), 10_000) > 0 else {
        throw Program.Failure("the server does not answer")
      }
      for index in clients.indices where ready[index].revents != 0 {
        guard let time = try clients[index].receive() else { continue }
        left -= 1
        if clients[index].answerCount > 1 { ours.add(time) }
        if left >= Self.clientCount { try ask(index) }
      }
    }
    ours.peakBytes = try server.peakByteCount()
    return [Finding(name: "a page of 50 anywhere over HTTP, with \(Self.clientCount) clients", ours: ours)]
  }

  private static func conversation(in path: String) throws -> Conversation.ID {
    let store = try SynchronousMessageStore(path: path)
    defer { store.close() }
    guard let conversation = try store.conversations(after: nil, limit: 1).first else {
      throw Program.Failure("'\(path)' has no conversation")
    }
    return conversation.id
  }

  /// An append, from its commit to the event.
  func changes() throws -> [Finding] {
    let path = try setting.copyOfStore(named: "served")
    let store = try SynchronousMessageStore(path: path)
    defer { store.close() }
    guard let conversation = try store.conversations(after: nil, limit: 1).first else { return [] }
    let server = try ServerProcess(store: path)
    defer { server.stop() }
    let listeners = try (0..<Self.clientCount).map { _ in try ServerClient(server) }
    for listener in listeners {
      try listener.send("api/changes")
      try listener.wait(for: "event: hello")
    }
    var ours = Measurement()
    for number in 0..<setting.depth.times(100) {
      try store.append([NewMessage("arrival \(number)", from: "alice")], to: conversation.id)
      try ours.time { for listener in listeners { try listener.wait(for: "event: changes") } }
    }
    ours.peakBytes = try server.peakByteCount()
    return [
      Finding(
        name: "an append of another process, from its commit to the events of \(Self.clientCount) clients",
        ours: ours)
    ]
  }
}

/// The server in a process of its own.
private final class ServerProcess {
  private let process = Process()
  let port: Int
  let key: String

  init(store: String) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback-serve"))
    process.arguments = ["--store", store]
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let url = URL(string: line.trimmingCharacters(in: .newlines)), let port = url.port else {
      throw Program.Failure("the server says '\(line)'")
    }
    (self.port, key) = (port, url.lastPathComponent)
  }

  /// The most memory that it held.
  func peakByteCount() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}

/// A client that asks for one thing at a time.
private final class ServerClient {
  let socket: Int32
  private let head: String
  private var bytes: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  /// The bytes of the answer that is coming, once its head has come.
  private var wantedCount: Int?
  private var start = ContinuousClock.now
  private(set) var answerCount = 0

  init(_ server: ServerProcess) throws {
    head = "GET /\(server.key)/"
    end = " HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
    #if os(Linux)
      socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #endif
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
    answerCount += 1
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
