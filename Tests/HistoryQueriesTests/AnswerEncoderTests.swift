import Foundation
import HistoryQueries
import Testing

@Suite struct AnswerEncoderTests {
  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try AnswerEncoder.bytes(of: value), as: UTF8.self)
  }

  @Test func `every character is read again as it was, and none of them controls a terminal`() throws {
    for start in stride(from: UInt32(0), to: 0x11_0000, by: 0x800) {
      let scalars = (start..<(start + 0x800)).compactMap(Unicode.Scalar.init)
      let string = String(String.UnicodeScalarView(scalars))
      let bytes = try AnswerEncoder.bytes(of: [string])
      #expect(
        try JSONDecoder().decode([String].self, from: Data(bytes)).first.map {
          $0.utf8.elementsEqual(string.utf8)
        } == true)
      let hidden = String(decoding: bytes, as: UTF8.self).unicodeScalars.contains { scalar in
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
      }
      #expect(!hidden)
    }
  }

  @Test func `what is no UTF-8 is written as U+FFFD`() throws {
    #expect(
      try text(String(decoding: [0x61, 0xED, 0xA0, 0x80, 0xFF], as: UTF8.self))
        == "\"a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\"")
  }

  private struct Numbers: Codable, Equatable {
    var least = Int.min
    var small: Int8 = -128
    var great = UInt64.max
    var whole = 2.0
    var half = -0.5
    var tiny = Double.leastNonzeroMagnitude
    var huge = 1e300
    var yes = true
    var none: Int?
    var list: [Int?] = [1, nil]
    var empty: [Int] = []
    var nested = [["a": 1]]
  }

  @Test func `numbers, lists and nothing are read again as they were`() throws {
    let numbers = Numbers()
    let bytes = try AnswerEncoder.bytes(of: numbers)
    #expect(try JSONDecoder().decode(Numbers.self, from: Data(bytes)) == numbers)
    #expect(
      String(decoding: bytes, as: UTF8.self).hasPrefix(
        #"{"least":-9223372036854775808,"small":-128,"great":18446744073709551615,"whole":2,"half":-0.5,"#))
    #expect(
      String(decoding: bytes, as: UTF8.self).hasSuffix(
        #""yes":true,"list":[1,null],"empty":[],"nested":[{"a":1}]}"#))
  }

  @Test(arguments: [Double.nan, .infinity])
  func `a number that JSON cannot say is an error, and nothing of it is written`(number: Double) throws {
    var bytes: [UInt8] = [0x78]
    #expect(throws: EncodingError.self) { try AnswerEncoder.write(["a": [1, number]], to: &bytes) }
    #expect(bytes == [0x78])
    try AnswerEncoder.write([1], to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "x[1]\n")
  }

  /// Encodes itself into containers of containers, some of which are written to late.
  private struct Odd: Encodable {
    enum Key: CodingKey { case a, b, c, d }

    func encode(to encoder: any Encoder) throws {
      var outer = encoder.container(keyedBy: Key.self)
      var list = outer.nestedUnkeyedContainer(forKey: .a)
      var inner = outer.nestedContainer(keyedBy: Key.self, forKey: .b)
      try outer.encode(3, forKey: .c)
      try inner.encode("x", forKey: .a)
      var innermost = list.nestedContainer(keyedBy: Key.self)
      try list.encode(1)
      try innermost.encodeNil(forKey: .d)
      var deep = inner.nestedUnkeyedContainer(forKey: .b)
      try deep.encode(true)
      var more = encoder.container(keyedBy: Key.self)
      try more.encode(4, forKey: .d)
      var list2 = list.nestedUnkeyedContainer()
      try list2.encodeNil()
      var single = outer.superEncoder().singleValueContainer()
      try single.encode("s")
    }
  }

  @Test func `containers within containers are written in their places`() throws {
    #expect(
      try text(Odd()) == #"{"a":[{"d":null},1,[null]],"b":{"a":"x","b":[true]},"c":3,"d":4,"super":"s"}"#)
    #expect(try text(EmptyValue()) == "{}")
  }

  private struct EmptyValue: Encodable {}

  /// Every key that a message can have, in the order of docs/json.md.
  private let wholeMessage = """
    {"id":"7205759403792","conversation":"a \\"b\\"","time":"2024-05-01T12:34:56.789Z","precision":"minute","sender":"mira",\
    "senderID":"U1","kind":"action","text":"waves\\n\\u001b[2J","replyTo":"1","thread":"-2","edited":true,\
    "edits":[{"time":"2024-05-01T12:00:00.000Z","text":"waved"}],"reactions":[{"emoji":"👍","senders":["ada"]}],\
    "attachments":[{"name":"a.png","type":"image/png","bytes":3,"width":1,"height":2,"stored":true,"pictures":"made"}],\
    "source":{"platform":"slack","id":"1.2","original":"{}"},"sendingState":"sent","payload":"aGk=","textBytes":9,"revision":2}
    """

  @Test func `a message has the same keys and values whoever encodes it`() throws {
    let message = try JSONDecoder().decode(MessageAnswer.self, from: Data(wholeMessage.utf8))
    #expect(try text(message) == wholeMessage)
    let foreign = try JSONEncoder().encode(message)
    #expect(try JSONDecoder().decode(MessageAnswer.self, from: foreign) == message)
    let (ours, theirs) = try (
      JSONSerialization.jsonObject(with: Data(wholeMessage.utf8)) as? NSDictionary,
      JSONSerialization.jsonObject(with: foreign) as? NSDictionary
    )
    #expect(ours != nil && ours == theirs)
  }
}
