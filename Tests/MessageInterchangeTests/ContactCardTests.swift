import Foundation
import Testing

@testable import MessageInterchange

/// vCards, as the programs of twenty years write them.
@Suite struct ContactCardTests {
  /// What is read of a text: a line per card or problem.
  private func read(_ text: String) throws -> [String] { try read(Array(text.utf8)) }

  private func read(_ bytes: [UInt8]) throws -> [String] {
    var reader = ContactCardReader(ByteSource(MemoryProducer(bytes)))
    var lines: [String] = []
    while true {
      switch try reader.next() {
      case .card(let card):
        lines.append("\(card.line) \(card.name): \(card.contacts.joined(separator: ", "))")
      case .problem(let problem): lines.append("\(problem.line) ! \(problem.reason)")
      case .end: return lines
      }
    }
  }

  @Test func `versions 2_1, 3_0 and 4_0 are read`() throws {
    let text = """
      BEGIN:VCARD\r
      VERSION:2.1\r
      N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg;;Dr.\r
      TEL;CELL;VOICE:+43 (0)664 123-45-67\r
      NOTE;ENCODING=QUOTED-PRINTABLE:a long=\r
      TEL:no number=\r
      \u{20}note\r
      EMAIL;INTERNET:joerg@example.org\r
      END:VCARD\r
      BEGIN:VCARD
      VERSION:3.0
      FN:Ann\\, the \\
       first
      N:Smith;Ann;;;
      item1.TEL;type=CELL;type=VOICE;type=pref:0664/7654321
      item1.X-ABLabel:_$!<Mobile>!$_
      PHOTO;ENCODING=b;TYPE=JPEG:AAAA
       BBBB
      EMAIL;TYPE="home:x":Ann@Example.ORG
      END:VCARD

      begin:vcard
      version:4.0
      fn;language=de:Zoë
      tel;VALUE=uri;type=cell:tel:+43-664-1
      IMPP:xmpp:zoe@jabber.example.org
      end:vcard
      """
    #expect(
      try read(text) == [
        "1 Dr. Jörg Müller: +43 (0)664 123-45-67, joerg@example.org",
        "10 Ann, the first: 0664/7654321, Ann@Example.ORG",
        "22 Zoë: tel:+43-664-1, xmpp:zoe@jabber.example.org",
      ])
  }

  @Test func `a broken entry is told by line, and the next one is read`() throws {
    let text = """
      hello
      BEGIN:VCARD
      FN:One
      no colon here
      END:VCARD
      BEGIN:VCARD
      FN:Two
      BEGIN:VCARD
      TEL:1
      END:VCARD
      BEGIN:VCARD
      FN:Three
      TEL:3
      END:VCARD
      BEGIN:VCARD
      FN:Four
      """
    #expect(
      try read(text) == [
        "1 ! no BEGIN:VCARD", "4 ! no colon in the line", "6 ! no END:VCARD", "8 ! no name (FN or N)",
        "11 Three: 3", "15 ! no END:VCARD",
      ])
    #expect(try read("") == [] && read("\n\n") == [])
  }

  @Test func `of fifty thousand entries each broken one is told by its line, and all others are read`() throws
  {
    var text = ""
    var expected: [String] = []
    for number in 0..<50_000 {
      let line = 4 * number + 1
      switch number % 1_000 {
      case 7:
        text += "BEGIN:VCARD\nno colon\nTEL:1\nEND:VCARD\n"
        expected.append("\(line + 1) ! no colon in the line")
      case 500:
        text += "BEGIN:VCARD\nTEL:1\nTEL:2\nEND:VCARD\n"
        expected.append("\(line) ! no name (FN or N)")
      default:
        text += "BEGIN:VCARD\nFN:Person \(number)\nTEL:+43 \(number)\nEND:VCARD\n"
        expected.append("\(line) Person \(number): +43 \(number)")
      }
    }
    #expect(try read(text) == expected)
  }

  @Test func `other encodings, marks and endless lines are no harm`() throws {
    let latin = Array("BEGIN:VCARD\nFN:J".utf8) + [0xF6] + Array("rg\nEND:VCARD\n".utf8)
    #expect(try read([0xEF, 0xBB, 0xBF] + latin) == ["1 Jörg: "])
    let long =
      "BEGIN:VCARD\nPHOTO:\(String(repeating: "A", count: 3 << 20))\nFN:\u{1B}[2JAnn\u{7}\nTEL:1\nEND:VCARD"
    #expect(try read(long) == ["1 [2JAnn: 1"])
    let folded = "BEGIN:VCARD\nFN:A\nPHOTO:" + String(repeating: "\n AAAA", count: 20_000) + "\nEND:VCARD"
    #expect(try read(folded) == ["1 A: "])
  }
}
