import MessageModel
import MessageStorage
import TestSupport
import Testing

@testable import ChatSession

/// Joins and parts, folded.
@Suite struct EventTests {
  private static let start = Timestamp(utc: CivilTime(year: 2024, month: 5, day: 10, hour: 9))

  /// A store with a conversation of these lines, a minute apart: `+ann`, `-ann`, or `ann: text`.
  private func fixture(_ lines: [String]) throws -> StoreFixture {
    let fixture = try StoreFixture(count: 1)
    let room = try fixture.store.makeConversation(named: "room").id
    let messages = lines.enumerated().map { index, line in
      let time = Self.start.advanced(byMilliseconds: Int64(index) * 60_000)
      let name = String(line.dropFirst("+-".contains(line.first ?? " ") ? 1 : 0).prefix { $0 != ":" })
      switch line.first {
      case "+": return NewMessage("joined", from: name, kind: .join, at: time)
      case "-": return NewMessage("left", from: name, kind: .quit, at: time)
      default: return NewMessage(String(line.dropFirst(name.count + 2)), from: name, at: time)
      }
    }
    _ = try fixture.store.append(messages, to: room)
    return fixture
  }

  private func screen(_ lines: [String], _ events: String, rows: Int = 14) throws -> [String] {
    var screen = try fixture(lines).screen(rows: rows, columns: 100)
    screen.type("/open room")
    screen.type("/set events \(events)")
    return screen.lines.filter { !$0.isEmpty && !$0.hasPrefix("──") }.map { line in
      String(line.drop { $0 != ":" }.dropFirst(3).drop { $0 == " " })
    }
  }

  private static let lines = ["+ann", "+bob", "+cid", "ann: hello", "-bob", "-cid", "ann: bye", "-ann"]

  @Test func `neighbouring joins and parts are one row, and who speaks stays`() throws {
    let shown = try screen(Self.lines, "smart")
    #expect(
      shown == [
        "--  ann joined", "--  ▸ 2 joined: bob, cid", "ann  hello", "--  ▸ 2 left: bob, cid", "ann  bye",
        "--  ann left",
      ], "\(shown)")
  }

  @Test func `all shows each, none shows none`() throws {
    #expect(try screen(Self.lines, "all").count == Self.lines.count)
    #expect(try screen(Self.lines, "none") == ["ann  hello", "ann  bye"])
  }

  @Test func `a filter that asks for them shows each`() throws {
    var screen = try fixture(Self.lines).screen(rows: 14, columns: 100)
    screen.type("/open room")
    screen.type("/set events smart")
    screen.type("/filter kind:join")
    #expect(screen.lines.filter { $0.contains(" joined") }.count == 3, "\(screen.terminal.picture)")
  }

  @Test(arguments: UInt64(0)..<(isLong ? 20 : 5))
  func `whatever is folded, all else is shown once and in order`(seed: UInt64) throws {
    var generator = SeededLines(seed: seed)
    let lines = generator.lines(count: 120)
    let fixture = try fixture(lines)
    let texts = lines.filter { !"+-".contains($0.first ?? " ") }
    for events in ["smart", "none"] {
      var screen = try fixture.screen(rows: 12, columns: 100)
      screen.type("/open room")
      screen.type("/set events \(events)")
      screen.type("/top")
      var seen: [String] = []
      for _ in 0..<300 {
        for line in screen.lines {
          guard let text = texts.first(where: { line.hasSuffix("  " + $0.drop { $0 != " " }.dropFirst()) }),
            !seen.contains(text)
          else { continue }
          seen.append(text)
        }
        let before = screen.lines
        screen.handle(.key(.rowNewer))
        if screen.lines == before { break }
      }
      #expect(seen == texts, "\(events)")
      // Up again, by pages, to where it began.
      for _ in 0..<60 { screen.handle(.key(.pageOlder)) }
      #expect(screen.session.reader.view.window.header.hasOlder == false)
      #expect(screen.session.reader.view.visible.first != nil)
    }
  }
}

/// Lines of a made-up channel, by a seed.
private struct SeededLines {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  private mutating func next(_ bound: UInt64) -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) % bound
  }

  mutating func lines(count: Int) -> [String] {
    (0..<count).map { index in
      let name = ["ann", "bob", "cid", "dan", "eve"][Int(next(5))]
      switch next(4) {
      case 0: return "\(name): text\(index)"
      case 1: return "-\(name)"
      default: return "+\(name)"
      }
    }
  }
}
