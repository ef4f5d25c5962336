internal import MessageModel

/// SillyTavern's four notations of time: `February 29, 2024 12:34pm`, `2024-2-29@12h34m56s`, `2024-2-29 @12h
/// 34m 56s 789ms`, and ISO 8601.
struct SillyTavernTimes {
  private var times: LooseTime

  init(_ options: ImportOptions) { times = LooseTime(options) }

  mutating func moment(of value: Bytes?) -> (time: Timestamp, precision: TimePrecision)? {
    guard let value, let text = try? AssistantText.plain(value) else { return nil }
    return times.read(text) ?? Self.standard(text).flatMap { times.read($0) }
  }

  /// Converts to ISO 8601. The notations with letters for hours and minutes are UTC, as in SillyTavern; the
  /// one in words is local time.
  static func standard(_ text: String) -> String? {
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
