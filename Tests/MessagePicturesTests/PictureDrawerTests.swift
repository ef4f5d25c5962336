#if TerminalPictures
  import MessageModel
  import TestSupport
  import Testing

  @testable import MessagePictures

  @Suite struct PictureDrawerTests {
    private static let cell = PixelSize(width: 10, height: 20)

    private func drawer(_ environment: [String: String], cell: PixelSize? = cell) throws -> any PictureDrawer
    {
      try #require(PictureSupport.drawer(environment: environment, cell: cell))
    }

    @Test func `a terminal that knows no pictures is given half blocks, a row for each row`() throws {
      let drawer = try drawer(["TERM": "xterm-256color"])
      let drawn = try drawer.draw(Samples.jpeg(320, 240), columns: 32, rows: 12)
      #expect(drawn.rows.count == 12)
      #expect(drawer.erasing.isEmpty)
      for row in drawn.rows {
        var screen = TerminalModel(rows: 2, columns: 40)
        screen.feed(Array(row.utf8))
        let line = screen.text(ofRow: 0)
        #expect(line.allSatisfy { " ▀▄█".contains($0) }, "\(line)")
        #expect(row.hasSuffix("\u{1B}[0m"))
      }
    }

    @Test func `a kitty is sent pixels, and told to take them away`() throws {
      let drawer = try drawer(["TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"])
      let drawn = try drawer.draw(Samples.jpeg(320, 240), columns: 32, rows: 12)
      #expect(drawn.rows.count == 12)
      #expect(drawn.rows.allSatisfy { $0.hasPrefix("\u{1B}_Ga=T") })
      #expect(drawer.erasing.contains("a=d"))
    }

    @Test func `a terminal with sixels is sent sixels`() throws {
      let drawer = try drawer(["TERM": "foot", "COLORTERM": "truecolor"])
      let drawn = try drawer.draw(Samples.jpeg(320, 240), columns: 32, rows: 12)
      #expect(drawn.rows.count == 12)
      #expect(drawn.rows.allSatisfy { $0.hasPrefix("\u{1B}P") && $0.hasSuffix("\u{1B}\\") })
    }

    @Test func `an iTerm is sent files, a row for each row`() throws {
      let drawer = try drawer(["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"])
      let drawn = try drawer.draw(Samples.jpeg(320, 240), columns: 32, rows: 12)
      #expect(drawn.rows.count == 12)
      #expect(drawn.rows.allSatisfy { $0.hasPrefix("\u{1B}]1337;File=inline=1;width=32;height=1;") })
      #expect(drawer.erasing.isEmpty)
    }

    @Test(arguments: [
      ("kitty", "\u{1B}_Ga=T"), ("sixels", "\u{1B}P"), ("iterm", "\u{1B}]1337"), ("blocks", "\u{1B}[0m"),
    ])
    func `SCROLLBACK_PICTURES is used whatever the terminal says`(name: String, start: String) throws {
      for terminal in ["xterm", "xterm-256color", "foot", "xterm-kitty"] {
        let drawer = try drawer(["TERM": terminal, "SCROLLBACK_PICTURES": name])
        let drawn = try drawer.draw(Samples.jpeg(320, 240), columns: 32, rows: 12)
        #expect(drawn.rows.count == 12)
        #expect(drawn.rows.allSatisfy { $0.hasPrefix(start) }, "\(terminal)")
        #expect(drawer.erasing.isEmpty == (name != "kitty"))
      }
    }

    @Test func `without the size of a cell only half blocks are drawn`() throws {
      let drawer = try drawer(["TERM": "xterm-kitty"], cell: nil)
      let drawn = try drawer.draw(Samples.jpeg(320, 240), columns: 32, rows: 12)
      #expect(drawn.rows.allSatisfy { !$0.contains("_G") })
    }

    @Test func `what is no picture is not drawn`() throws {
      #expect(throws: PictureRefusal.unknownFormat) {
        try drawer(["TERM": "xterm"]).draw([1, 2, 3], columns: 3, rows: 3)
      }
    }
  }
#endif
