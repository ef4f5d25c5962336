import HistoryModel
import Testing

@testable import MessageStorage

/// Numbers and addresses in the form in which they are compared.
@Suite struct ContactKeyTests {
  @Test(arguments: [
    ("+43 (0)664 123-45-67", nil, "+436641234567"), ("0043 664 1234567", nil, "+436641234567"),
    ("tel:+43-664-1234567;ext=5", nil, "+436641234567"), ("0664 1234567", "AT", "+436641234567"),
    ("664 1234567", "+43", "+436641234567"), ("436641234567@s.whatsapp.net", nil, "+436641234567"),
    ("436641234567:12@s.whatsapp.net", nil, "+436641234567"), ("(212) 555-0199", "US", "+12125550199"),
    ("1 212 555 0199", "CA", "+12125550199"), ("06 30 123 4567", "HU", "+36301234567"),
    ("8 912 345-67-89", "RU", "+79123456789"), ("06 1234 5678", "IT", "+390612345678"),
    ("0664 1234567", nil, "06641234567"), ("Ann@Example.ORG", nil, "ann@example.org"),
    ("mailto:ann@example.org", nil, "ann@example.org"),
  ])
  func `a number is told by its country, and an address in small letters`(
    text: String, country: String?, wanted: String
  ) throws {
    let code = try country.map { try #require(CallingCode($0)) }
    #expect(ContactKey(text, country: code)?.text == wanted)
  }

  @Test(arguments: [
    "ann", "", "+", "12345", "+0123456789", "@ann:example.org", "ann@local", "a b@example.org", "U024BE7LH",
    "+4366412345678901234", "700000000000000201", "２０１２３４５６７", "0", "12:34:56", "@",
  ])
  func `what is neither is none`(text: String) { #expect(ContactKey(text) == nil) }

  @Test func `a country is two letters or a calling code`() {
    #expect(CallingCode("at")?.digits == "43" && CallingCode("+1")?.digits == "1")
    for text in ["", "+", "XX", "0", "1234", "４３"] { #expect(CallingCode(text) == nil, "\(text)") }
  }
}
