import Foundation
import ShellTesting
import Testing

/// The exported page, as a browser without a window reads it.
@Suite(.serialized) struct BrowserTests {
  private static let browser: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    let paths = names.flatMap { name in folders.map { "\($0)/\(name)" } }
    return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// Texts that would change the title of the page if anything in them ran.
  private static let attacks = [
    "<script>document.title='pwned'</script>", "<img src=x onerror=\"document.title='pwned'\">",
    "</p></div></body><script>document.title='pwned'</script>", "<svg/onload=document.title='pwned'>",
    "<a href=\"javascript:document.title='pwned'\">press</a>", "javascript:document.title='pwned'",
    "https://example.com/\"onmouseover=\"document.title='pwned'",
    "http://example.com/'><script>document.title='pwned'</script>",
    "<iframe srcdoc=\"<script>top.document.title='pwned'</script>\"></iframe>",
    "<style>p { display: none }</style>",
    "<meta http-equiv=refresh content=0;url=https://example.com/pwned>", "<base href=https://example.com/>",
    "\u{202E}txt.exe", "a\u{0}b\u{7}\u{1B}[2J", "--><script>document.title='pwned'</script>",
    "<form action=https://example.com/><input autofocus onfocus=document.title='pwned'>", "]]><!--",
    "&lt;b&gt; &#x3C;b&#x3E;",
  ]

  /// The page as the browser has it once everything that can run has run.
  private func document(_ page: URL, in folder: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.browser ?? "")
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.path)/profile",
      "--virtual-time-budget=2000",
      "--dump-dom", page.absoluteString,
    ]
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  private func page(_ texts: [String], _ fixture: ShellFixture) throws -> String {
    let history = fixture.folder.appendingPathComponent("attack.jsonl")
    let names = [
      "<script>document.title='pwned'</script>", "\"><img src=x onerror=document.title='pwned'>",
      "\u{202E}nna",
    ]
    var lines = Data()
    for (index, text) in texts.enumerated() {
      let object = [
        "conversation": names[0], "time": "2024-05-01T10:00:00Z", "sender": names[index % 3], "text": text,
      ]
      lines += try JSONEncoder().encode(object) + Data("\n".utf8)
    }
    try lines.write(to: history)
    #expect(try fixture.run(["import", history.path]).status == 0)
    let page = fixture.folder.appendingPathComponent("page.html")
    #expect(try fixture.run(["export", "--format", "html", "-o", page.path]).status == 0)
    return try document(page, in: fixture.folder)
  }

  @Test(.enabled(if: browser != nil, "needs Chromium or Chrome"))
  func `nothing that somebody wrote acts in the page`() throws {
    let fixture = try ShellFixture(count: 0)
    let document = try page(Self.attacks, fixture)
    #expect(document.contains("<title>Scrollback</title>"))
    for element in ["script", "img", "svg", "iframe", "form", "input", "base"] {
      #expect(!document.contains("<\(element)"), "The page has an element \(element).")
    }
    #expect(document.matches(of: /<style/).count == 1)
    #expect(document.matches(of: /<meta/).count == 3)
    for address in document.matches(of: /<a [^>]*href="([^"]*)"/).map(\.1) {
      // To the web, to messages, and to the months of the contents.
      #expect(["http://", "https://", "#m", "#c"].contains(where: address.hasPrefix), "\(address)")
    }
    // No tag has an attribute that would run something.
    for tag in document.matches(of: /<[a-z][^>]*>/).map(\.0) {
      #expect(!tag.contains(#/ on[a-z]+=/#), "\(tag)")
    }
    #expect(!document.unicodeScalars.contains("\u{202E}"))
    #expect(!document.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test(.enabled(if: browser != nil, "needs Chromium or Chrome"))
  func `the page shows each message as it was written`() throws {
    let fixture = try ShellFixture(count: 3)
    let texts = ["a < b && c > d", "see https://example.com/?a=1&b=2.", "two\n\nlines", "潮汐 👍🏽", "שלום"]
    let document = try page(texts, fixture)
    for text in ["message 1", "message 2", "message 3"] { #expect(document.contains(">\(text)</p>")) }
    #expect(document.contains(">a &lt; b &amp;&amp; c &gt; d</p>"))
    #expect(document.contains("href=\"https://example.com/?a=1&amp;b=2\""))
    for text in ["two\n\nlines", "潮汐 👍🏽", "שלום"] { #expect(document.contains(">\(text)</p>")) }
  }
}
