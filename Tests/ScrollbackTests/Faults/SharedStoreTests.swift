import Foundation
import MessageModel
import MessageStorage
import TestSupport
import Testing

/// An app and its extension: two processes with one store, one of which only reads.
@Suite struct SharedStoreTests {
  @Test func `an extension reads what the app has written, and never keeps it waiting`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "scrollback-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("shared.db").path
    // An app that waits for nobody: a lock that a reader held against it would be an error.
    let store = try await MessageStore(
      path: path, options: StoreOptions(durability: .process, busyTimeout: .milliseconds(0)))
    let room = try await store.write { try $0.makeConversation(named: "room") }.id
    try await store.append([NewMessage("first")], to: room)
    // One that goes on reading, and is killed amidst it.
    let follower = Self.reader(path, ["--follow"])
    follower.standardOutput = FileHandle.nullDevice
    try follower.run()
    for number in 1...60 {
      try await store.append([NewMessage("number \(number)")], to: room)
      if number % 20 == 0 { #expect(try Self.lastLine(path).hasSuffix("number \(number)")) }
      if number == 30 { kill(follower.processIdentifier, SIGKILL) }
    }
    follower.waitUntilExit()
    await store.suspend()
    #expect(try Self.lastLine(path).hasSuffix("number 60"))
    try await store.resume()
    try await store.append([NewMessage("after")], to: room)
    #expect(try Self.lastLine(path).hasSuffix("after"))
    await store.close()
  }

  private static func reader(_ path: String, _ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback"))
    process.arguments = ["tail", "--store", path, "-n", "5"] + arguments
    return process
  }

  private static func lastLine(_ path: String) throws -> String {
    let (process, pipe) = (reader(path, []), Pipe())
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return output.split(separator: "\n").last.map(String.init) ?? ""
  }
}
