import ChatSession
import TestSupport
import Testing

struct ViewKeysTests {
  private func events(_ input: String) -> [ReplEvent] {
    var keys = ViewKeys()
    return keys.append(input.utf8)
  }

  @Test(arguments: [
    ("j", ReplEvent.key(.rowNewer)), ("5k", .key(.rowOlder, count: 5)), (" ", .key(.pageNewer)),
    ("b", .key(.pageOlder)), ("d", .key(.halfNewer)), ("u", .key(.halfOlder)), ("g", .key(.oldest)),
    ("G", .key(.newest)), ("12G", .line("/goto 12")), ("50%", .line("/goto 50%")), ("q", .key(.close)),
    ("2.5%", .line("/goto 2.5%")), ("mx", .line("/mark x")), ("'x", .line("/goto 'x")),
    ("''", .line("/back")),
    ("ZZ", .line("/quit")), ("n", .key(.repeatHit)), ("N", .key(.reverseHit)),
    ("/tea cup\r", .search("tea cup", .newer)), ("?tée\r", .search("tée", .older)),
    (":goto 2024-05\r", .line("/goto 2024-05")), (":/top\r", .line("/top")),
    ("&from:bob\r", .line("/filter from:bob")), ("|wc -l\r", .line("/export | wc -l")),
    ("=", .line("/stats")),
    ("v", .key(.pick)), ("\u{1B},", .key(.back)),
    ("/ax\u{7F}b\r", .search("ab", .newer)), ("/\r", .key(.repeatHit)), ("\u{1B}[5~", .key(.pageOlder)),
    ("\u{1B}[<64;10;5M", .key(.rowsOlder)), ("\u{1B}", .interrupted), ("\u{1B}[B", .key(.rowNewer)),
  ])
  func `keys do what they do in less`(input: String, event: ReplEvent) {
    #expect(events(input) == [event])
  }

  @Test(arguments: ["/abc\u{1B}", "/\u{7F}", ":\r", "12\u{1B}[99~", "x", "mé\u{1B}[3~", "\u{0}\u{1}"])
  func `what means nothing leaves nothing behind`(input: String) {
    var keys = ViewKeys()
    let before = keys.append(input.utf8).filter { $0 != .line("/mark é") }
    #expect(before.isEmpty && keys.prompt.isEmpty)
    #expect(keys.append("j".utf8) == [.key(.rowNewer)])
  }

  @Test func `letters may come in pieces`() {
    var keys = ViewKeys()
    let events = Array("/é👍\r".utf8).flatMap { keys.append([$0]) }
    #expect(events == [.search("é👍", .newer)])
  }

  @Test func `the last row shows the end of what is typed, and no control characters`() {
    var keys = ViewKeys()
    #expect(keys.shown(columns: 10) == ":")
    _ = keys.append("12".utf8)
    #expect(keys.shown(columns: 10) == ":12")
    _ = keys.append("/abcdefghijkl".utf8)
    #expect(keys.shown(columns: 4) == "ijkl")
  }

  @Test(arguments: UInt64(0)..<(isLong ? 20 : 4))
  func `any bytes are taken`(seed: UInt64) {
    var keys = ViewKeys()
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    for _ in 0..<2_000 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      _ = keys.append([UInt8(truncatingIfNeeded: state >> 32)])
      #expect(keys.shown(columns: 20).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
    }
  }
}
