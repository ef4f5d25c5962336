internal import Foundation
internal import MessageInterchange
internal import MessageModel

/// An import of one file again and again, each time with other bytes in it.
struct FuzzedImport: Sendable {
  static let shared = FuzzedImport()

  private let path: String
  private let options: ImportOptions

  private init() {
    let environment = ProcessInfo.processInfo.environment
    let memory = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    // A name with a date, so that logs without one can be read, too.
    path = "\(memory)/fuzzed-\(ProcessInfo.processInfo.processIdentifier).2024-03-31.log"
    let format = environment["FORMAT"].flatMap { $0.isEmpty || $0 == "any" ? nil : $0 }
    options = ImportOptions(
      format: format, timeZone: TimeZone(identifier: "Europe/Berlin") ?? .gmt, me: "me", keepsOriginal: true)
  }

  func read(_ bytes: UnsafeRawBufferPointer) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes.baseAddress, 1, bytes.count, file)
    fclose(file)
    guard var reader = try? ImportReader([path], options: options) else { return }
    var messageCount = 0
    while let event = reader.next() {
      if case .batch(let batch) = event {
        messageCount += batch.entries.count
        check(batch)
      }
    }
    expect(reader.progress.messageCount == messageCount, "Messages were lost on the way.")
    unlink(path)
  }

  private func check(_ batch: ImportedMessages) {
    let runs = batch.runs.flatMap { Array($0.entries) }
    expect(runs == Array(batch.entries.entries.indices), "The runs do not cover the messages.")
    for entry in batch.entries.entries {
      expect(
        batch.entries.conversations.indices.contains(Int(entry.conversation)), "No such conversation.")
      expect(
        batch.entries.string(entry.text)?.utf8.count == batch.entries.withBytes(of: entry.text, \.count),
        "A text is not UTF-8.")
      _ = batch.entries.string(entry.sender)
    }
  }
}
