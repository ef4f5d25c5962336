import Foundation
import MessageModel
import Testing

@Suite struct JSONTextTests {
  /// Those that turn the direction of text, after Unicode's Bidi_Control, and those that end a line.
  private static let turning: Set<UInt32> = Set([0x061C, 0x200E, 0x200F, 0x2028, 0x2029])
    .union(0x202A...0x202E).union(0x2066...0x2069)

  private func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\"" || scalar == "\\" || scalar.properties.generalCategory == .control
      || Self.turning.contains(scalar.value)
  }

  private func written(_ text: String) -> (ofString: [UInt8], ofBytes: [UInt8]) {
    var (ofString, ofBytes): ([UInt8], [UInt8]) = ([], [])
    JSONText.write(text, to: &ofString)
    Array(text.utf8).withUnsafeBytes { JSONText.write($0, to: &ofBytes) }
    return (ofString, ofBytes)
  }

  @Test(arguments: 0..<9)
  func `what could control a terminal is escaped wherever it stands, and nothing else is`(place: Int) throws {
    for value in UInt32(0)...0x2FFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for neighbour in ["a", "é", "—", "人"] {
        let text = String(repeating: "a", count: place) + neighbour + String(scalar) + neighbour
        let json = written(text)
        try #require(json.ofString == json.ofBytes, "U+\(String(value, radix: 16))")
        let isPlain = json.ofString == Array("\"\(text)\"".utf8)
        try #require(isPlain != mustBeEscaped(scalar), "U+\(String(value, radix: 16)) after \(place) letters")
      }
    }
  }

  @Test func `what is written is read as it was`() throws {
    let all = String(String.UnicodeScalarView((UInt32(0)...0x10FFFF).lazy.compactMap { Unicode.Scalar($0) }))
    let json = written(all)
    #expect(json.ofString == json.ofBytes)
    #expect(try JSONDecoder().decode(String.self, from: Data(json.ofString)) == all)
  }

  @Test(
    arguments: [[0xC2], [0x61, 0xE2, 0x80], [0xD8], [0xFF], [0xED, 0xA0, 0x80], [0xC0, 0xAF]] as [[UInt8]])
  func `bytes that are no text are replaced`(bytes: [UInt8]) {
    var json: [UInt8] = []
    bytes.withUnsafeBytes { JSONText.write($0, to: &json) }
    #expect(String(decoding: json, as: UTF8.self) == "\"\(String(decoding: bytes, as: UTF8.self))\"")
  }
}
