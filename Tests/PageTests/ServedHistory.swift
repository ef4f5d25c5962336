import Foundation
import GRDB
import MessageModel
import MessageSourceTesting
import MessageStorage
import ShellTesting
import TestSupport

/// A history, and the server that shows it, a process of its own as `scrollback serve` starts it.
final class ServedHistory {
  let shell: ShellFixture
  private var process: Process?
  private(set) var url = ""

  /// Makes a history and serves it.
  ///
  /// - Parameter lines: The history in JSON lines; without any, `count` messages, a minute apart, their texts their numbers.
  init(count: Int = 200, lines: String = "") throws {
    shell = try ShellFixture(count: lines.isEmpty ? count : 0)
    if !lines.isEmpty { try shell.add(lines) }
    try start()
  }

  deinit { stop() }

  /// Starts the server, at the same address as before.
  func start() throws {
    var arguments = ["--store", shell.store, "--key-file", shell.folder.appending(path: "key").path]
    if let port = URL(string: url)?.port { arguments += ["--port", "\(port)"] }
    try start(arguments)
  }

  /// Starts the server at the same port with another key.
  func startWithAnotherKey() throws {
    try start(["--store", shell.store, "--port", "\(URL(string: url)?.port ?? 0)"])
  }

  /// Starts the server again, at the same address, with what the page may write.
  func restart(permitting permissions: String...) throws {
    stop()
    try start(
      ["--store", shell.store, "--key-file", shell.folder.appending(path: "key").path]
        + ["--port", "\(URL(string: url)?.port ?? 0)"] + permissions.map { "--write=\($0)" })
  }

  private func start(_ arguments: [String]) throws {
    let (server, output) = (Process(), Pipe())
    server.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback"))
    server.arguments = ["serve-process"] + arguments
    server.standardOutput = output
    try server.run()
    process = server
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard line.hasSuffix("/\n") else { throw WebDriver.Failure(description: "the server says '\(line)'") }
    url = line.trimmingCharacters(in: .newlines)
  }

  /// Has the server hang, or go on.
  func hang(_ hangs: Bool) { if let process { kill(process.processIdentifier, hangs ? SIGSTOP : SIGCONT) } }

  /// Writes a site of the history, and returns the address of its folder, with a slash at its end.
  func writeSite() throws -> String {
    let site = shell.folder.appending(path: "site", directoryHint: .isDirectory)
    try shell.run(["export", "--format", "site", "-o", site.path])
    return site.absoluteString
  }

  func stop() {
    hang(false)
    process?.terminate()
    process?.waitUntilExit()
    process = nil
  }

  /// Opens the store to write, as another program does.
  func writing<T>(_ work: (SynchronousMessageStore) throws -> T) throws -> T {
    let store = try SynchronousMessageStore(path: shell.store, options: StoreOptions(access: .readWrite))
    defer { store.close() }
    return try work(store)
  }

  /// Appends messages of eve.
  @discardableResult
  func append(_ texts: [String], to conversation: String = "general") throws -> [Message.ID] {
    try writing { store in
      let id = try store.makeConversationIfNeeded(named: conversation).id
      return try store.append(texts.map { NewMessage($0, from: "eve") }, to: id)
    }
  }

  /// Attaches a file to a message.
  func attach(_ bytes: [UInt8], named name: String, to id: Message.ID) throws {
    try writing { store in _ = try store.attach([NewAttachment(bytes, name: name)], to: id) }
  }

  /// Has the store not know how large pictures are, as of formats that it does not read.
  func forgetPictureSizes() throws {
    let queue = try DatabaseQueue(path: shell.store)
    try queue.write { db in try db.execute(sql: "UPDATE content SET width = NULL, height = NULL") }
    try queue.close()
  }

  /// The ids of all messages, oldest first.
  func ids() throws -> [Message.ID] {
    let store = try SynchronousMessageStore(path: shell.store, options: .readOnly)
    defer { store.close() }
    return try store.page(PageRequest(.everything, anchor: .oldest, fetchLimit: 5_000)).messages.map(\.id)
  }
}

/// Histories as JSON lines.
enum Lines {
  /// A message in each of some rooms: those of higher numbers are older, and `hello` is in all.
  static func rooms(_ count: Int) -> String {
    let format = ISO8601DateFormatter()
    return (0..<count).map { number in
      let time = format.string(from: Date(timeIntervalSince1970: 1_714_521_600 - Double(number) * 60))
      let name = String(format: "room %05d", count - 1 - number)
      return #"{"conversation":"\#(name)","time":"\#(time)","sender":"ann","text":"hello from \#(name)"}"#
        + "\n"
    }.joined()
  }

  /// Messages of some length by some people, a minute apart, from the first of May 2024 on: `message N`, then words.
  static func conversation(_ count: Int, named name: String = "general") -> String {
    let vocabulary = ["tide", "lamp", "harbour", "fog", "boat", "keeper", "letter", "gale", "petrel", "rope"]
    var dice = SeededGenerator(seed: 7)
    var lines = ""
    let format = ISO8601DateFormatter()
    for number in 1...max(1, count) {
      let more = (0..<Int.random(in: 0..<(number.isMultiple(of: 40) ? 60 : 8), using: &dice)).map { _ in
        vocabulary[Int.random(in: 0..<vocabulary.count, using: &dice)]
      }
      let words = number.isMultiple(of: 700) ? more + ["needle"] : more
      let sender = ["alice", "bob", "carol"][number / 7 % 3]
      let time = format.string(from: Date(timeIntervalSince1970: 1_714_521_600 + Double(number - 1) * 60))
      let text = (["message \(number)"] + words).joined(separator: number.isMultiple(of: 50) ? "\\n" : " ")
      lines += """
        {"conversation":"\(name)","time":"\(time)","sender":"\(sender)","text":"\(text)"}

        """
    }
    return lines
  }
}
