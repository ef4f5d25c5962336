/// Parses and writes ISO 8601 times.
///
/// Years before 0 and after 9999 have a sign and six digits (`+012024-05-01`), the expanded form that
/// JavaScript uses too (<https://tc39.es/ecma262/#sec-expanded-years>).
package enum ISO8601 {
  package struct Reading {
    package var civil: CivilTime
    /// The precision of the text: a date alone is known to the day, a fraction to the millisecond.
    package var precision: TimePrecision
    /// The offset from UTC in milliseconds, positive ahead of it; `nil` without a zone.
    package var offsetMilliseconds: Int64?

    package init(civil: CivilTime, precision: TimePrecision, offsetMilliseconds: Int64? = nil) {
      self.civil = civil
      self.precision = precision
      self.offsetMilliseconds = offsetMilliseconds
    }
  }

  /// Parses all of `bytes`; `nil` for anything but an existing time. A space may replace the `T`.
  package static func read(_ bytes: UnsafeRawBufferPointer) -> Reading? {
    var cursor = Cursor(bytes: bytes)
    guard let year = cursor.year(), cursor.takes("-"), let month = cursor.digits(2), cursor.takes("-"),
      let day = cursor.digits(2)
    else { return nil }
    var civil = CivilTime(year: year, month: month, day: day)
    guard !cursor.isAtEnd else { return civil.isValid ? Reading(civil: civil, precision: .day) : nil }
    guard cursor.takes("T") || cursor.takes(" ") || cursor.takes("t") else { return nil }
    guard let precision = cursor.timeOfDay(&civil), civil.isValid else { return nil }
    if cursor.isAtEnd { return Reading(civil: civil, precision: precision) }
    guard let offset = cursor.offset(), cursor.isAtEnd else { return nil }
    return Reading(civil: civil, precision: precision, offsetMilliseconds: offset)
  }

  /// Appends a moment in UTC to the millisecond: `2024-05-01T12:34:56.789Z`.
  package static func write(_ time: Timestamp, to result: inout [UInt8]) {
    let civil = time.utc
    Signs.append(to: &result) { signs in
      add(dateOf: civil, to: &signs)
      signs.add("T")
      add(timeOf: civil, precision: .millisecond, to: &signs)
      signs.add("Z")
    }
  }

  /// Appends a date: `2024-05-01`.
  package static func writeDate(_ civil: CivilTime, to result: inout [UInt8]) {
    Signs.append(to: &result) { add(dateOf: civil, to: &$0) }
  }

  /// Appends the time of day with its precision: `12:34`, `12:34:56`, `12:34:56.789`; nothing for a day.
  package static func writeTime(_ civil: CivilTime, precision: TimePrecision, to result: inout [UInt8]) {
    Signs.append(to: &result) { add(timeOf: civil, precision: precision, to: &$0) }
  }

  @inline(__always)
  private static func add(dateOf civil: CivilTime, to signs: inout Signs) {
    if (0...9_999).contains(civil.year) {
      signs.add(civil.year, digits: 4)
    } else {
      signs.add(civil.year < 0 ? "-" : "+")
      signs.add(abs(civil.year), digits: 6)
    }
    signs.add("-")
    signs.add(civil.month, digits: 2)
    signs.add("-")
    signs.add(civil.day, digits: 2)
  }

  @inline(__always)
  private static func add(timeOf civil: CivilTime, precision: TimePrecision, to signs: inout Signs) {
    guard precision != .day else { return }
    signs.add(civil.hour, digits: 2)
    signs.add(":")
    signs.add(civil.minute, digits: 2)
    guard precision != .minute else { return }
    signs.add(":")
    signs.add(civil.second, digits: 2)
    guard precision != .second else { return }
    signs.add(".")
    signs.add(civil.millisecond, digits: 3)
  }

  /// The characters of a time, which are appended at once.
  private struct Signs {
    private let places: UnsafeMutableBufferPointer<UInt8>
    private var count = 0

    /// A signed year and everything that may follow.
    private static let maxCount = 27

    private init(_ places: UnsafeMutableBufferPointer<UInt8>) { self.places = places }

    static func append(to bytes: inout [UInt8], _ body: (inout Signs) -> Void) {
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maxCount) { places in
        var signs = Signs(places)
        body(&signs)
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: places[..<signs.count]))
      }
    }

    @inline(__always)
    mutating func add(_ sign: Unicode.Scalar) {
      places[count] = UInt8(truncatingIfNeeded: sign.value)
      count += 1
    }

    @inline(__always)
    mutating func add(_ number: Int, digits: Int) {
      var rest = UInt(number)
      for place in (count..<count + digits).reversed() {
        places[place] = 48 + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      count += digits
    }
  }
}

extension ISO8601 {
  /// Reads signs and digits one after the other; stops before the first one that does not fit.
  package struct Cursor {
    package let bytes: UnsafeRawBufferPointer
    package var position = 0

    package init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package var isAtEnd: Bool { position == bytes.count }

    package mutating func takes(_ character: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    package mutating func digits(_ count: Int) -> Int? {
      guard position + count <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[position..<position + count] {
        let digit = byte &- 48
        guard digit < 10 else { return nil }
        value = value * 10 + Int(digit)
      }
      position += count
      return value
    }

    mutating func year() -> Int? {
      if takes("+") { return digits(6) }
      if takes("-") { return digits(6).map(-) }
      return digits(4)
    }

    /// Returns the precision.
    mutating func timeOfDay(_ civil: inout CivilTime) -> TimePrecision? {
      guard let hour = digits(2), takes(":"), let minute = digits(2) else { return nil }
      (civil.hour, civil.minute) = (hour, minute)
      guard takes(":") else { return .minute }
      guard let second = digits(2) else { return nil }
      // POSIX time has no leap seconds.
      civil.second = second == 60 ? 59 : second
      guard takes(".") || takes(",") else { return .second }
      var unit = 100
      let start = position
      while let digit = digits(1) {
        civil.millisecond += digit * unit
        unit /= 10
      }
      return position > start ? .millisecond : nil
    }

    mutating func offset() -> Int64? {
      if takes("Z") || takes("z") { return 0 }
      let sign: Int64
      if takes("+") { sign = 1 } else if takes("-") { sign = -1 } else { return nil }
      guard let hours = digits(2) else { return nil }
      _ = takes(":")
      let minutes = isAtEnd ? 0 : digits(2)
      guard let minutes, hours < 24, minutes < 60 else { return nil }
      return sign * Int64(hours * 60 + minutes) * 60_000
    }
  }
}

extension CivilTime {
  /// Its date: `2024-05-01`.
  package var dateText: String {
    var bytes: [UInt8] = []
    ISO8601.writeDate(self, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
