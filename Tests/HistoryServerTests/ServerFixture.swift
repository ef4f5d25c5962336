import Foundation
import HistoryServer
import MessageModel
import MessagePictures
import MessageStorage
import Redaction
import ShellTesting
import Testing

/// A server of a store with a history of 200 messages, and what asks it.
final class ServerFixture {
  let shell: ShellFixture
  let server: HistoryServer

  init(
    count: Int = 200, texts: [String] = [], holding lines: String? = nil,
    permissions: Set<PagePermission> = [],
    redactor: Redactor? = nil,
    _ change: (inout ServerLimits) -> Void = { _ in }
  ) throws {
    shell = try lines.map { try ShellFixture(holding: $0) } ?? ShellFixture(count: count, texts: texts)
    var limits = ServerLimits()
    // However busy the computer is.
    (limits.idleTime, limits.writingTime, limits.commentTime) = (.hours(5), .hours(5), .hours(5))
    change(&limits)
    server = try HistoryServer(
      me: "carol", maker: PictureSupport.maker, limits: limits, redactor: redactor,
      permissions: permissions, path: shell.store)
  }

  deinit { server.stop() }

  /// Behind the port, before what is asked for.
  var prefix: String { "/\(server.key.text)/" }
  var host: String { "127.0.0.1:\(server.port)" }

  func client(roomByteCount: Int32? = nil) throws -> RawClient {
    try RawClient(port: server.port, roomByteCount: roomByteCount)
  }

  func request(
    _ path: String, method: String = "GET", host: String? = nil, fields: [String] = []
  ) -> String {
    let all = ["\(method) \(path) HTTP/1.1", "Host: \(host ?? self.host)"] + fields
    return all.map { $0 + "\r\n" }.joined() + "\r\n"
  }

  /// Asks on a connection of its own.
  func get(
    _ path: String, method: String = "GET", host: String? = nil, fields: [String] = []
  ) throws -> RawClient.Response {
    let client = try client()
    client.send(request(prefix + path, method: method, host: host, fields: fields))
    return try client.response(to: method)
  }

  /// The ids of all messages, oldest first.
  func ids() throws -> [Message.ID] {
    let store = try SynchronousMessageStore(path: shell.store, options: .readOnly)
    defer { store.close() }
    return try store.page(PageRequest(.everything, anchor: .oldest, fetchLimit: 1_000)).messages.map(\.id)
  }

  /// Attaches a file to a new message, as somebody types it.
  func attach(_ bytes: [UInt8], named name: String) throws -> Message.ID {
    try shell.run(["append", "-c", "general", "--from", "eve", "with a file"])
    let id = try #require(try ids().last)
    let store = try SynchronousMessageStore(path: shell.store, options: StoreOptions(access: .readWrite))
    defer { store.close() }
    try store.attach([NewAttachment(bytes, name: name)], to: id)
    return id
  }

  /// The kind of an error that was answered.
  static func kind(of response: RawClient.Response) -> String? {
    let object = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    return object?["answer"] as? String == "error" ? object?["kind"] as? String : nil
  }
}
