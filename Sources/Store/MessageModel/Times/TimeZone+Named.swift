package import Foundation

extension TimeZone {
  /// Finds a zone by name (`Europe/Berlin`, `UTC`, `CET`) or offset (`+05:30`, `-0800`, `+2`).
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
