internal import MessageModel

/// Reads the times of SillyTavern, which has written them in four ways: `February 29, 2024 12:34pm`, `2024-2-29@12h34m56s`,
/// `2024-2-29 @12h 34m 56s 789ms`, and as others do.
struct SillyTavernTimes {
  private var times: LooseTime

  init(_ options: ImportOptions) { times = LooseTime(options) }

  /// Returns the moment that a value of JSON tells; `nil` if it tells none.
  mutating func moment(of value: Bytes?) -> (time: Timestamp, precision: TimePrecision)? {
    guard let value, let text = try? AssistantText.plain(value) else { return nil }
    return times.read(text) ?? Self.standard(text).flatMap { times.read($0) }
  }

  /// Returns a time as ISO 8601 has it. What is written with letters for hours and minutes is UTC, as SillyTavern itself reads it;
  /// what is written in words is the time of the clock.
  static func standard(_ text: String) -> String? {
    // The numbers, and what stands before each.
    let numbers = text.split { !$0.isASCII || !$0.isNumber }.prefix(8).map(String.init)
    guard numbers.allSatisfy({ $0.count <= 4 }) else { return nil }
    if text.contains("@") {
      guard numbers.count >= 6, numbers[0].count == 4 else { return nil }
      let fields = numbers[1..<6].map(padded)
      let fraction =
        numbers.count > 6
        ? "." + String(repeating: "0", count: max(3 - numbers[6].count, 0)) + numbers[6] : ""
      return "\(numbers[0])-\(fields[0])-\(fields[1])T\(fields[2]):\(fields[3]):\(fields[4])\(fraction)Z"
    }
    guard numbers.count == 4, let month = MonthNames.number(of: Array(text.utf8.prefix(3))),
      var hour = Int(numbers[2])
    else { return nil }
    let ending = text.suffix(2).lowercased()
    guard ending == "am" || ending == "pm", (1...12).contains(hour) else { return nil }
    hour = hour % 12 + (ending == "pm" ? 12 : 0)
    return
      "\(numbers[1])-\(padded("\(month)"))-\(padded(numbers[0]))T\(padded("\(hour)")):\(padded(numbers[3]))"
  }

  private static func padded(_ digits: String) -> String { digits.count == 1 ? "0" + digits : digits }
}
