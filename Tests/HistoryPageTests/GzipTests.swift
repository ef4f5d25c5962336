import Foundation
import HistoryPage
import Testing

struct GzipTests {
  /// What `gzip` reads of it, a program that others wrote.
  private func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).gz")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", file.path]
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return Array(data)
  }

  @Test func `each file of the page is unpacked to what it was`() throws {
    for bytes in [PageFiles.document, PageFiles.styleSheet, PageFiles.script] + PagePart.allCases.map(\.bytes)
    {
      #expect(try unpacked(Gzip.packed(bytes)) == bytes)
    }
  }

  @Test(arguments: UInt64(0)..<12)
  func `bytes of chance are unpacked to what they were, whatever repeats in them`(seed: UInt64) throws {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var bytes: [UInt8] = []
    for _ in 0..<next(60) {
      switch next(4) {
      case 0: bytes += (0..<next(300)).map { _ in UInt8(next(256)) }
      case 1: bytes += Array(repeating: UInt8(next(256)), count: next(1_500))
      case 2: bytes += (0..<next(40_000)).map { UInt8($0 & 0x0F) }
      default:
        let start = next(bytes.count + 1)
        bytes += bytes[start..<min(bytes.count, start + next(600))]
      }
    }
    #expect(try unpacked(Gzip.packed(bytes)) == bytes)
  }
}
