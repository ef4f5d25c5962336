import MessageModel
import Testing

@Suite struct MessageIDTests {
  private let noon = Timestamp(utc: CivilTime(year: 2024, month: 5, day: 1, hour: 12))

  @Test func `an id is its millisecond and a place in it, and orders as they do`() {
    let id = Message.ID(time: noon, place: 7)
    #expect(id.rawValue == noon.millisecondsSince1970 * 4_096 + 7)
    #expect(id.placeTime == noon)
    #expect(
      Message.ID(time: noon, place: 4_095).successor == Message.ID(time: noon.advanced(byMilliseconds: 1)))
    #expect(Message.ID(time: noon).predecessor.placeTime == noon.advanced(byMilliseconds: -1))
    #expect(Message.ID(time: noon, place: 1) > Message.ID(time: noon))
  }

  @Test func `the ends of time are the ends of ids, and nothing lies beyond them`() {
    let all = Timestamp.supported
    #expect(Message.ID(time: all.lowerBound) == .lowest)
    #expect(Message.ID(time: all.upperBound, place: 4_095) == .highest)
    #expect(Message.ID.lowest.placeTime == all.lowerBound && Message.ID.highest.placeTime == all.upperBound)
    #expect(Message.ID.lowest.predecessor == .lowest && Message.ID.highest.successor == .highest)
  }

  @Test func `before 1970 an id lies in its millisecond, too`() {
    let before = Timestamp(millisecondsSince1970: -1)
    #expect(Message.ID(time: before, place: 4_095).rawValue == -1)
    #expect(Message.ID(rawValue: -1).placeTime == before)
    #expect(Message.ID(rawValue: -4_097).placeTime.millisecondsSince1970 == -2)
  }

  @Test(arguments: TimePrecision.allCases)
  func `a time known to a precision has the ids of that interval`(precision: TimePrecision) {
    let moment = noon.advanced(byMilliseconds: 3_723_004)
    let range = Message.ID.range(of: moment, precision: precision)
    #expect(range.lowerBound == Message.ID(time: moment.rounded(to: precision)))
    #expect(range.upperBound.rawValue - range.lowerBound.rawValue == precision.milliseconds * 4_096 - 1)
    #expect(range.contains(Message.ID(time: moment)))
    for end in [Timestamp.supported.lowerBound, Timestamp.supported.upperBound] {
      #expect(Message.ID.range(of: end, precision: precision).contains(Message.ID(time: end)))
    }
  }

  @Test(arguments: ["", " 1", "1.0", "0x10", "9223372036854775808", "#1"])
  func `what is no number of 64 bits is no id`(text: String) { #expect(Message.ID(text) == nil) }

  @Test func `an id is written as digits and read again`() {
    for id in [Message.ID.lowest, .highest, Message.ID(rawValue: 0), Message.ID(time: noon)] {
      #expect(Message.ID(id.description) == id)
    }
  }
}
