internal import CEmbeddedFiles

/// The page that shows a history in a browser, over a server or over files: one document, one style sheet, one script.
///
/// They are in the program itself, so that it needs no folder beside it.
package enum PageFiles {
  /// The document, in UTF-8.
  ///
  /// It names `page.css`, `page.js` and `icon.svg` beside it. Its line `<meta name="scrollback-source" content="server">` is
  /// another in a folder of files, where `content` is `site`.
  package static let document: [UInt8] = bytes(embedded_page_html())

  /// The style sheet, in UTF-8.
  package static let styleSheet: [UInt8] = lean(bytes(embedded_page_css()))

  /// The picture that browsers show beside its title: without one they ask for another at an address of their own.
  package static let icon: [UInt8] = bytes(embedded_icon_svg())

  /// The script, in UTF-8: a classic one, as modules do not load from files.
  package static let script: [UInt8] = lean(bytes(embedded_page_js()))

  /// The script that is loaded besides in a folder of files, as `site.js`: the reader of `data`.
  package static let siteScript: [UInt8] = lean(bytes(embedded_site_js()))

  /// Returns the bytes of an embedded file.
  static func bytes(_ file: UnsafePointer<CChar>) -> [UInt8] { Array(String(cString: file).utf8) }

  /// A script or a style sheet without what only those want who work on it: lines that are comments, and the space before lines.
  /// No text in it may go on over lines.
  static func lean(_ script: [UInt8]) -> [UInt8] {
    var lean: [UInt8] = []
    lean.reserveCapacity(script.count)
    for line in script.split(separator: UInt8(ascii: "\n")) {
      let line = line.drop { $0 == UInt8(ascii: " ") }
      if line.isEmpty || line.starts(with: "//".utf8) || isComment(line) { continue }
      lean += line
      lean.append(UInt8(ascii: "\n"))
    }
    return lean
  }

  private static func isComment(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "/*".utf8) && line.suffix(2).elementsEqual("*/".utf8)
  }

  /// The page in a folder of files: each of its files under its name.
  package static var site: [(name: String, bytes: [UInt8])] {
    let source = "name=\"scrollback-source\" content="
    let document = String(decoding: document, as: UTF8.self)
      .replacing("\(source)\"server\"", with: "\(source)\"site\"")
    return [
      ("index.html", Array(document.utf8)), ("page.css", styleSheet), ("page.js", script),
      ("site.js", siteScript), ("icon.svg", icon),
    ] + PagePart.allCases.map { ($0.rawValue, $0.bytes) }
  }
}
