internal import MessageModel

/// The number of messages in each quarter of an hour of a day in UTC, and of those of which only the day is known.
struct HourCounts: Equatable {
  /// The quarters of a day; the zones that there are differ by whole ones, but for some of old.
  static let quarterCount = 96
  /// The quarter that stands for messages of which only the day is known.
  static let unknown = quarterCount
  static let quarterMilliseconds: Int64 = 900_000
  private static let dayMilliseconds: Int64 = 86_400_000

  private(set) var counts = [Int](repeating: 0, count: quarterCount + 1)

  init() {}

  init(_ entries: ArraySlice<OrdinalIndex.Entry>) { add(entries) }

  /// Reads what ``text`` says; `nil` if it says something else.
  init?(_ text: UnsafeRawBufferPointer) {
    var (quarter, number, digits): (Int?, Int, Int) = (nil, 0, 0)
    for byte in text {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9") where digits < 4:
        (number, digits) = (number * 10 + Int(byte - UInt8(ascii: "0")), digits + 1)
      case UInt8(ascii: ":") where quarter == nil && digits > 0 && number < counts.count:
        (quarter, number, digits) = (number, 0, 0)
      case UInt8(ascii: ","):
        guard let place = quarter, digits > 0 else { return nil }
        counts[place] += number
        (quarter, number, digits) = (nil, 0, 0)
      case _: return nil
      }
    }
    guard !text.isEmpty else { return }
    guard let place = quarter, digits > 0 else { return nil }
    counts[place] += number
  }

  /// The quarters that have messages with their counts, as `36:12,37:4`.
  var text: String {
    counts.indices.filter { counts[$0] > 0 }.map { "\($0):\(counts[$0])" }.joined(separator: ",")
  }

  var total: Int { counts.reduce(0, +) }

  mutating func add(_ entries: ArraySlice<OrdinalIndex.Entry>) {
    for entry in entries { add(entry.id, precision: entry.precision) }
  }

  mutating func add(_ id: Int64, precision: Int64) { counts[Self.quarter(of: id, precision)] += 1 }

  /// Counts messages off; `false` if there are not so many.
  mutating func remove(_ entries: ArraySlice<OrdinalIndex.Entry>) -> Bool {
    for entry in entries { counts[Self.quarter(of: entry.id, entry.precision)] -= 1 }
    return counts.allSatisfy { $0 >= 0 }
  }

  private static func quarter(of id: Int64, _ precision: Int64) -> Int {
    guard precision != Int64(TimePrecision.day.rawValue) else { return unknown }
    let time = Message.ID(rawValue: id).time.millisecondsSince1970
    let sinceMidnight = time - time.floorDivided(by: dayMilliseconds) * dayMilliseconds
    return Int(sinceMidnight / quarterMilliseconds)
  }
}
