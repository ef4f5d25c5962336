import Foundation
import ShellTesting
import Testing

/// The pages of `export --format site` that need no script.
@Suite(.serialized) struct SitePagesTests {
  private struct Pages {
    let folder: URL
    let errors: String

    /// The files below `pages`, and the sitemaps, by name.
    func files() throws -> [String: String] {
      var files: [String: String] = [:]
      let found = FileManager.default.enumerator(atPath: folder.path)
      while let name = found?.nextObject() as? String {
        guard name.hasPrefix("pages/") && name.hasSuffix(".html") || name.hasSuffix(".xml") else { continue }
        files[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      }
      return files
    }
  }

  private func export(_ fixture: ShellFixture, _ options: String...) throws -> Pages {
    let folder = fixture.folder.appending(path: "site")
    let answer = try fixture.run(
      ["export", "--format", "site", "-o", folder.path, "--time-zone", "UTC"] + options)
    try #require(answer.status == 0, "\(answer)")
    return Pages(folder: folder, errors: answer.errors)
  }

  private static func line(
    _ conversation: String, _ time: String, _ text: String, _ more: String = ""
  ) throws -> String {
    let object = ["conversation": conversation, "time": time, "sender": "ann", "text": text]
    let json = String(decoding: try JSONEncoder().encode(object), as: UTF8.self)
    return "\(json.dropLast())\(more)}\n"
  }

  @Test func `each message stands on the page of its month, and each page leads to its neighbours`() throws {
    let fixture = try ShellFixture(count: 2_300)
    try fixture.add(
      Self.line("general", "2023-12-31T23:59:00Z", "before")
        + Self.line("tea", "2024-05-01T10:00:00Z", "alone"))
    let files = try export(fixture).files()
    let names = ["2023-12", "2024-05", "2024-05-2", "2024-05-3"]
    let folder = try #require(files.keys.first { $0.hasSuffix("2023-12.html") }?.dropLast(12))
    var (found, before) = (0, "")
    for (index, name) in names.enumerated() {
      let page = try #require(files["\(folder)\(name).html"])
      found += page.matches(of: /<div id="m\d+"/).count
      #expect(page.contains("<title>\(index == 0 ? "December 2023" : "May 2024")"))
      #expect(before.isEmpty || page.contains("<a href=\"\(before).html\" rel=\"prev\">"))
      #expect(index == 3 || page.contains("<a href=\"\(names[index + 1]).html\" rel=\"next\">"))
      before = name
    }
    #expect(found == 2_301)
    let last = try #require(files["\(folder)2024-05-3.html"])
    #expect(
      last.contains(
        "<meta name=\"description\" content=\"300 messages by alice, bob in general, 2024-05-02\">"))
    #expect(files["\(folder)index.html"]?.matches(of: /<li>/).count == 4)
    let list = try #require(files["pages/index.html"])
    #expect(list.contains("\(folder.dropFirst(6))index.html\"><bdi>general</bdi></a> <small>2301 messages"))
    // One page is not listed on another.
    #expect(list.contains("/2024-05.html\"><bdi>tea</bdi></a> <small>1 message</small>"))
  }

  @Test func `a thread has a page of its own, but for a reply or two`() throws {
    let ids = ["7022827929600000", "7022828175360000", "7033798656000000", "7033798901760000"]
    let fixture = try ShellFixture(
      holding: Self.line("tea", "2024-05-01T10:00:00Z", "who has a cup?", #","id":"\#(ids[0])""#)
        + Self.line("tea", "2024-05-01T10:01:00Z", "else", #","id":"\#(ids[1])""#)
        + Self.line(
          "tea", "2024-06-01T10:00:00Z", "here", #","id":"\#(ids[2])","thread":"\#(ids[0])""#)
        + Self.line(
          "tea", "2024-06-01T10:01:00Z", "well", #","id":"\#(ids[3])","replyTo":"\#(ids[1])""#))
    let files = try export(fixture).files()
    let threads = files.filter { $0.key.contains("/t\(ids[0])") }
    #expect(threads.count == 1 && files.keys.count { $0.contains("/t7") } == 1, "\(files.keys.sorted())")
    let page = try #require(threads.first?.value)
    #expect(page.contains("<title>ann: who has a cup?"))
    #expect(page.contains(">here</p>") && !page.contains(">else</p>"))
    let june = try #require(files.first { $0.key.hasSuffix("2024-06.html") }?.value)
    #expect(june.contains("<a href=\"t\(ids[0]).html\">in a thread</a>"))
    #expect(june.contains("<a href=\"../../index.html#m\(ids[1])\">↩ in reply</a>"))
    #expect(files.first { $0.key.hasSuffix("/threads.html") }?.value.contains("2 messages") == true)
  }

  @Test func `an address gives a sitemap of all pages, and without one that is said`() throws {
    let fixture = try ShellFixture(count: 3)
    let without = try export(fixture)
    #expect(without.errors.contains("no sitemap.xml"))
    #expect(try without.files().keys.allSatisfy { !$0.hasSuffix(".xml") })
    let with = try export(fixture, "--address", "https://example.org/a'b/")
    #expect(!with.errors.contains("sitemap"))
    var files = try with.files()
    #expect(files["sitemap.xml"]?.contains("<loc>https://example.org/a&#39;b/sitemap-1.xml</loc>") == true)
    let map = try #require(files["sitemap-1.xml"])
    (files["sitemap-1.xml"], files["sitemap.xml"]) = (nil, nil)
    for (name, page) in files {
      let address = "https://example.org/a&#39;b/\(name)"
      #expect(map.contains("<loc>\(address)</loc>"), "\(name)")
      #expect(page.contains("<link rel=\"canonical\" href=\"\(address)\">"), "\(name)")
    }
    #expect(map.contains("<lastmod>2024-05-01</lastmod>"))
    #expect(map.matches(of: /<url>/).count == files.count + 1)
    // The next site takes them away.
    #expect(try export(fixture).files().keys.allSatisfy { !$0.hasSuffix(".xml") })
    for wrong in ["ftp://example.org", "https:///a", "example.org", "https://example.org/?a=b"] {
      let answer = try fixture.run(["export", "--format", "site", "-o", "x", "--address", wrong])
      #expect(answer.status == 64, "\(wrong)")
    }
    #expect(try fixture.run(["export", "--address", "https://example.org"]).status == 64)
  }

  @Test func `nothing that was written is markup in a page, and index.html leads to the pages`() throws {
    let attack = "</title><script>alert(1)</script>\" onload='x' &amp;"
    let fixture = try ShellFixture(holding: Self.line(attack, "2024-05-01T10:00:00Z", attack))
    let pages = try export(fixture)
    for (name, page) in try pages.files() {
      #expect(
        !page.contains("<script") && !page.contains("\" onload") && !page.contains(" onload='"), "\(name)")
    }
    let index = try String(contentsOf: pages.folder.appending(path: "index.html"), encoding: .utf8)
    #expect(index.contains("href=\"pages/index.html\""))
  }

  @Test func `redacted pages name months by numbers, and show stand-ins`() throws {
    let fixture = try ShellFixture(holding: Self.line("tea", "2024-05-01T10:00:00Z", "May has a cup"))
    let rules = fixture.folder.appending(path: "rules.txt")
    try "name May\nname ann".write(to: rules, atomically: true, encoding: .utf8)
    let files = try export(fixture, "--redact", rules.path).files()
    for (name, page) in files { #expect(!page.contains("May") && !page.contains(">ann<"), "\(name)") }
    #expect(files.contains { $0.value.contains("<title>2024-05") })
  }
}
