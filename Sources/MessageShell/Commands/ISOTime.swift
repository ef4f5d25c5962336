package import MessageModel
internal import TerminalText

/// Times in the JSON that commands print.
package enum ISOTime {
  /// Returns a time as exported messages have it.
  package static func text(_ time: Timestamp) -> String {
    let civil = time.utc
    func two(_ number: Int) -> String { NumberText.twoDigits(number) }
    let millisecond = String(civil.millisecond + 1_000).dropFirst()
    return
      "\(DateText.date(civil))T\(two(civil.hour)):\(two(civil.minute)):\(two(civil.second)).\(millisecond)Z"
  }
}
