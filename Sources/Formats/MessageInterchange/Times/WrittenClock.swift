internal import MessageModel

/// The time of day in the pieces of a written time, without its half of the day.
struct WrittenClock {
  let range: Range<Int>
  let hour: Int
  let minute: Int
  private(set) var second = 0
  private(set) var millisecond = 0
  private(set) var precision = TimePrecision.minute

  init?(_ pieces: [TimePiece]) {
    guard let range = Self.colonClock(pieces) ?? Self.wordClock(pieces) ?? Self.dottedClock(pieces) else {
      return nil
    }
    let numbers = range.compactMap { pieces[$0].number }
    guard numbers.count >= 2 else { return nil }
    self.range = range
    (hour, minute) = (numbers[0].value, numbers[1].value)
    if numbers.count > 2 {
      // POSIX time has no leap seconds.
      (second, precision) = (numbers[2].value == 60 ? 59 : numbers[2].value, .second)
    }
    if numbers.count > 3 { (millisecond, precision) = (numbers[3].milliseconds, .millisecond) }
  }

  /// `8:44`, `08:44:40`, `08:44:40.123`
  private static func colonClock(_ pieces: [TimePiece]) -> Range<Int>? {
    guard
      let start = pieces.indices.first(where: {
        pieces[$0].number?.digits ?? 9 <= 2 && pieces.isJoined(by: ":", at: $0 + 1) && pieces.isPair($0 + 2)
      })
    else { return nil }
    var end = start + 3
    guard pieces.isJoined(by: ":", at: end), pieces.isPair(end + 1) else { return start..<end }
    end += 2
    return pieces.isJoined(by: ".", at: end) || pieces.isJoined(by: ",", at: end)
      ? start..<end + 2 : start..<end
  }

  /// `8 h 44 min 40 s`, `8時44分40秒`
  private static func wordClock(_ pieces: [TimePiece]) -> Range<Int>? {
    guard
      let start = pieces.indices.first(where: {
        pieces[$0].number != nil && $0 + 2 < pieces.count && pieces[$0 + 2].number != nil
          && hourWords.contains(pieces[$0 + 1].word ?? "")
      })
    else { return nil }
    let isMinute = start + 3 < pieces.count && minuteWords.contains(pieces[start + 3].word ?? "")
    guard isMinute else { return start..<start + 3 }
    guard start + 4 < pieces.count, pieces[start + 4].number != nil else { return start..<start + 4 }
    let isSecond = start + 5 < pieces.count && secondWords.contains(pieces[start + 5].word ?? "")
    return start..<start + (isSecond ? 6 : 5)
  }

  private static let hourWords: Set<String> = ["h", "uhr", "時", "时", "點", "点", "시"]
  private static let minuteWords: Set<String> = ["min", "m", "分", "분"]
  private static let secondWords: Set<String> = ["s", "秒", "초"]

  /// `8.44`, `08.44.40`, beside a date whose year or month is not in it.
  private static func dottedClock(_ pieces: [TimePiece]) -> Range<Int>? {
    let starts = pieces.indices.filter { start in
      guard let hour = pieces[start].number, hour.digits <= 2, hour.value < 24,
        pieces.isJoined(by: ".", at: start + 1),
        pieces.isPair(start + 2)
      else { return false }
      return start == 0 || !(pieces[start - 1].mark != nil && pieces[start].isGlued)
    }
    guard let start = starts.last else { return nil }
    let end = pieces.isJoined(by: ".", at: start + 3) && pieces.isPair(start + 4) ? start + 5 : start + 3
    let isDate =
      pieces.isJoined(by: ".", at: end) || starts.count == 1 && !hasYear(in: pieces, outside: start..<end)
    return isDate ? nil : start..<end
  }

  private static func hasYear(in pieces: [TimePiece], outside range: Range<Int>) -> Bool {
    let others = pieces.indices.filter { !range.contains($0) }
    return others.contains { pieces[$0].number?.digits == 4 }
  }
}
