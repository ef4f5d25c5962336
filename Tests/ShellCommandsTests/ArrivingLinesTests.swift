import Foundation
import Testing

@testable import ShellCommands

struct ArrivingLinesTests {
  /// The lines of what one end of a pipe is given, in pieces.
  private func lines(of text: String, atMost limit: Int) throws -> (lines: [[String]], searched: Int) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("lines-\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let handle = try FileHandle(forReadingFrom: file)
    var arriving = ArrivingLines(descriptor: handle.fileDescriptor)
    var batches: [[String]] = []
    while let batch = try arriving.next(atMost: limit) { batches.append(batch) }
    return (batches, arriving.searchedByteCount)
  }

  @Test
  func `lines end in a line feed, with a carriage return before it or not, and the last one in nothing`()
    throws
  {
    #expect(try lines(of: "a\r\n\nb\nc", atMost: 2).lines == [["a", ""], ["b"], ["c"]])
    #expect(try lines(of: "", atMost: 2).lines == [])
  }

  @Test(arguments: [1, 7, 1_000_000])
  func `each byte of a long line is looked at once`(limit: Int) throws {
    let text = String(repeating: "x", count: 3 << 20) + "\n" + String(repeating: "y\n", count: 100_000)
    let found = try lines(of: text, atMost: limit)
    #expect(found.lines.joined().count == 100_001)
    #expect(found.searched <= text.utf8.count)
  }
}
