package import Foundation

extension TimeZone {
  /// The zone that is called so: `Europe/Berlin`, `UTC`, `CET`, or an offset as `+05:30`, `-0800` or `+2`. `nil` if none is.
  package init?(named name: String) {
    if let zone = TimeZone(identifier: name) ?? TimeZone(abbreviation: name) {
      self = zone
      return
    }
    guard let sign = name.first, sign == "+" || sign == "-" else { return nil }
    let digits = name.dropFirst().filter { $0 != ":" }
    guard (1...4).contains(digits.count), let number = Int(digits), digits.allSatisfy(\.isASCII) else {
      return nil
    }
    let (hours, minutes) = digits.count > 2 ? (number / 100, number % 100) : (number, 0)
    guard hours <= 18, minutes < 60 else { return nil }
    self.init(secondsFromGMT: (sign == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60))
  }
}
