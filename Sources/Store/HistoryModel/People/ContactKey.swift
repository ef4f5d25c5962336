/// A telephone number or mail address in canonical form.
///
/// A number follows E.164: a plus, a country's calling code, and the number there, at most fifteen digits. A
/// number without a country gets the default one or, without that, is compared by its digits, which never
/// equal a number with a country.
public enum ContactKey: Hashable, Sendable {
  /// A number with its calling code: `+436641234567`.
  case number(String)
  /// The digits of a number without a country.
  case digits(String)
  /// A lowercase mail address.
  case address(String)

  /// Parses a number or an address; `nil` if the text is neither.
  ///
  /// - Parameters:
  ///   - text: `+43 (0)664 123-45-67`, `tel:…`, `00436641234567`, `ann@example.org`, `mailto:…`, or a
  ///     messenger's address: `436641234567@s.whatsapp.net`.
  ///   - country: The country of numbers that name none.
  public init?(_ text: String, country: CallingCode? = nil) {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    for scheme in ["tel:", "sms:", "mailto:", "xmpp:"] where text.lowercased().hasPrefix(scheme) {
      text = text.dropFirst(scheme.count)
    }
    guard text.utf8.count <= 254 else { return nil }
    if let at = text.firstIndex(of: "@") {
      let (name, host) = (text[..<at], text[text.index(after: at)...].lowercased())
      if Self.hostsOfNumbers.contains(host) {
        let digits = name.prefix { $0.isASCII && $0.isNumber }
        guard Self.lengths.contains(digits.count),
          digits.count == name.count || name.dropFirst(digits.count).first == ":"
        else { return nil }
        self = .number("+" + digits)
      } else {
        guard !name.isEmpty, host.contains("."), !host.contains("@"), !text.contains(where: \.isWhitespace)
        else {
          return nil
        }
        self = .address(text.lowercased())
      }
      return
    }
    self.init(number: text.prefix { $0 != ";" }, country: country)
  }

  /// Hosts of messengers' addresses that contain numbers.
  private static let hostsOfNumbers: Set<String> = ["s.whatsapp.net", "c.us"]
  private static let lengths = 7...15

  private init?(number text: Substring, country: CallingCode?) {
    let isInternational = text.first == "+"
    var digits = ""
    var rest = isInternational ? text.dropFirst() : text
    // (0) is dialled only within the country.
    if let zero = rest.ranges(of: "(0)").first, isInternational || rest.hasPrefix("00") {
      rest.removeSubrange(zero)
    }
    for character in rest {
      switch character {
      case "0"..."9" where character.isASCII: digits.append(character)
      case " ", "-", ".", "/", "(", ")", "\u{A0}", "\u{2010}", "\u{2011}", "\u{2013}", "\u{202F}": continue
      default: return nil
      }
    }
    if !isInternational, digits.hasPrefix("00") {
      self.init(number: "+" + digits.dropFirst(2), country: nil)
      return
    }
    guard Self.lengths.contains(digits.count) else { return nil }
    if isInternational {
      guard digits.first != "0" else { return nil }
      self = .number("+" + digits)
    } else if let country {
      let whole = country.international(digits)
      guard Self.lengths.contains(whole.count) else { return nil }
      self = .number("+" + whole)
    } else {
      self = .digits(digits)
    }
  }

  /// The number or address.
  public var text: String {
    switch self {
    case .number(let text), .digits(let text), .address(let text): text
    }
  }
}

/// The calling code of a country.
public struct CallingCode: Hashable, Sendable {
  /// The digits: `43`.
  public let digits: String

  /// Parses a calling code (`43`, `+43`) or a country's two letters (ISO 3166: `AT`).
  public init?(_ text: String) {
    let plain = text.hasPrefix("+") ? text.dropFirst() : text[...]
    if (1...3).contains(plain.count), plain.allSatisfy({ $0.isASCII && $0.isNumber }), plain.first != "0" {
      digits = String(plain)
    } else if let known = Self.ofCountries[text.uppercased()] {
      digits = known
    } else {
      return nil
    }
  }

  /// Adds the calling code to a number as dialled within the country.
  func international(_ number: String) -> String {
    // North America and the Caribbean: ten digits, with or without a leading 1.
    if digits == "1" { return number.count == 11 && number.hasPrefix("1") ? number : digits + number }
    let trunk = digits == "36" ? "06" : digits == "7" ? "8" : "0"
    guard number.hasPrefix(trunk), !Self.keepingZero.contains(digits), digits != "7" || number.count == 11
    else {
      return digits + number
    }
    return digits + number.dropFirst(trunk.count)
  }

  /// Countries whose numbers keep the leading 0 when dialled from abroad (ITU-T, National Numbering Plans).
  private static let keepingZero: Set<String> = ["39", "378", "379", "225", "241", "242"]

  /// ITU-T E.164, list of assigned country codes.
  private static let ofCountries: [String: String] = {
    let list = """
      AD376 AE971 AF93 AG1 AI1 AL355 AM374 AO244 AR54 AS1 AT43 AU61 AW297 AX358 AZ994 BA387 BB1 BD880 BE32 BF226 BG359 \
      BH973 BI257 BJ229 BL590 BM1 BN673 BO591 BQ599 BR55 BS1 BT975 BW267 BY375 BZ501 CA1 CC61 CD243 CF236 CG242 CH41 \
      CI225 CK682 CL56 CM237 CN86 CO57 CR506 CU53 CV238 CW599 CX61 CY357 CZ420 DE49 DJ253 DK45 DM1 DO1 DZ213 EC593 EE372 \
      EG20 EH212 ER291 ES34 ET251 FI358 FJ679 FK500 FM691 FO298 FR33 GA241 GB44 GD1 GE995 GF594 GG44 GH233 GI350 GL299 \
      GM220 GN224 GP590 GQ240 GR30 GT502 GU1 GW245 GY592 HK852 HN504 HR385 HT509 HU36 ID62 IE353 IL972 IM44 IN91 IO246 \
      IQ964 IR98 IS354 IT39 JE44 JM1 JO962 JP81 KE254 KG996 KH855 KI686 KM269 KN1 KP850 KR82 KW965 KY1 KZ7 LA856 LB961 \
      LC1 LI423 LK94 LR231 LS266 LT370 LU352 LV371 LY218 MA212 MC377 MD373 ME382 MF590 MG261 MH692 MK389 ML223 MM95 \
      MN976 MO853 MP1 MQ596 MR222 MS1 MT356 MU230 MV960 MW265 MX52 MY60 MZ258 NA264 NC687 NE227 NF672 NG234 NI505 NL31 \
      NO47 NP977 NR674 NU683 NZ64 OM968 PA507 PE51 PF689 PG675 PH63 PK92 PL48 PM508 PR1 PS970 PT351 PW680 PY595 QA974 \
      RE262 RO40 RS381 RU7 RW250 SA966 SB677 SC248 SD249 SE46 SG65 SH290 SI386 SJ47 SK421 SL232 SM378 SN221 SO252 SR597 \
      SS211 ST239 SV503 SX1 SY963 SZ268 TC1 TD235 TG228 TH66 TJ992 TK690 TL670 TM993 TN216 TO676 TR90 TT1 TV688 TW886 \
      TZ255 UA380 UG256 US1 UY598 UZ998 VA39 VC1 VE58 VG1 VI1 VN84 VU678 WF681 WS685 XK383 YE967 YT262 ZA27 ZM260 ZW263
      """
    return Dictionary(
      list.split(separator: " ").map { (String($0.prefix(2)), String($0.dropFirst(2))) },
      uniquingKeysWith: { first, _ in first })
  }()
}
