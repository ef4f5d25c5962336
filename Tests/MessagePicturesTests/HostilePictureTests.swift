#if Pictures
  import Foundation
  import MessageModel
  import TestSupport
  import Testing

  @testable import MessagePictures

  @Suite struct HostilePictureTests {
    private static func refusal(
      of bytes: [UInt8], limits: PictureLimits = PictureLimits()
    ) -> PictureRefusal? {
      do throws(PictureRefusal) {
        _ = try PictureShrinker().pictures(of: .bytes(bytes), limits: limits)
        return nil
      } catch {
        return error
      }
    }

    static func small() throws -> [String: [UInt8]] {
      let webp = try PictureShrinker().pictures(
        of: .bytes(Samples.png(50, 40, .init(hasTransparency: true))), limits: PictureLimits())
      return [
        "jpeg": Samples.jpeg(50, 40, orientation: 6),
        "progressive": Samples.jpeg(50, 40, .init(isProgressive: true)), "png": Samples.png(50, 40),
        "interlaced": Samples.png(50, 40, .init(isInterlaced: true)), "gif": Samples.gif(50, 40),
        "webp": webp.thumbnail.bytes,
      ]
    }

    @Test(arguments: ["jpeg", "progressive", "png", "interlaced", "gif", "webp"])
    func `a picture that ends early is damaged, wherever it ends`(name: String) throws {
      let whole = try #require(try Self.small()[name])
      #expect(Self.refusal(of: whole) == nil)
      for count in 12..<(whole.count * 9 / 10) {
        #expect(Self.refusal(of: Array(whole[..<count])) == .damaged, "\(count) bytes of \(whole.count)")
      }
    }

    /// `make fuzz FORMAT=pictures` begins with them; RECORD_GOLDEN=1 writes them.
    @Test func `the pictures of the fixtures are what the generator makes`() throws {
      let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Fixtures/pictures").standardizedFileURL
      for (name, bytes) in try Self.small() {
        let file = folder.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil {
          try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
          try Data(bytes).write(to: file)
        }
        let kept = try Data(contentsOf: file)
        #expect(Self.refusal(of: Array(kept)) == nil, "\(name)")
        // What libwebp packs is its own affair.
        #expect(name == "webp" || Array(kept) == bytes, "\(name)")
      }
    }

    /// Made by libwebp of a made-up photograph, of a few colours, and of a lossy picture with opacity.
    @Test(arguments: ["lossless", "palette", "opacity"])
    func `a picture that libwebp has packed without loss is read`(name: String) throws {
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Fixtures/pictures/\(name)").standardizedFileURL
      let bytes = Array(try Data(contentsOf: file))
      let made = try PictureShrinker().pictures(of: .bytes(bytes), limits: PictureLimits())
      #expect(made.pixelSize == PixelSize(width: 60, height: 44))
      for count in 12..<(bytes.count * 9 / 10) {
        #expect(Self.refusal(of: Array(bytes[..<count])) == .damaged, "\(count) bytes of \(bytes.count)")
      }
    }

    @Test(arguments: UInt64(0)..<200)
    func `any change of bytes gives a picture or a reason`(seed: UInt64) throws {
      var dice = Dice(state: seed)
      for (_, whole) in try Self.small().sorted(by: { $0.key < $1.key }) {
        var bytes = whole
        for _ in 0...dice.below(8) { bytes[dice.below(bytes.count)] = UInt8(dice.below(256)) }
        // A trap or a picture larger than it may be would end this.
        _ = Self.refusal(of: bytes, limits: PictureLimits(memoryByteCount: 40 << 20))
      }
    }

    @Test func `what claims more pixels than can be decoded is refused before it is`() {
      #expect(Self.refusal(of: pngHeader(100_000, 100_000)) == .tooLarge)
      #expect(Self.refusal(of: jpegClaiming(65_500, 4_200)) == .tooLarge)
      #expect(Self.refusal(of: jpegClaiming(10_000, 8_000, .init(isProgressive: true))) == .tooLarge)
      #expect(Self.refusal(of: Samples.losslessWebP(8_000, 6_000)) == .tooLarge)
      let giant = Samples.gif(8, 8)
      #expect(Self.refusal(of: giant[..<6] + [0xFF, 0xFF, 0xFF, 0xFF] + giant[10...]) == .tooLarge)
    }

    @Test
    func `a lossless picture with more codes than memory is refused, one with as many as it needs is not`()
      throws
    {
      let bomb = PictureGenerator.losslessWebP(PixelSize(width: 1_024, height: 1_024), blockBits: 2)
      #expect(bomb.count < 300_000)
      #expect(Self.refusal(of: bomb) == .tooLarge)
      let harmless = PictureGenerator.losslessWebP(PixelSize(width: 1_023, height: 1_001), blockBits: 4)
      let made = try PictureShrinker().pictures(of: .bytes(harmless), limits: PictureLimits())
      #expect(made.pixelSize == PixelSize(width: 1_023, height: 1_001))
      for count in stride(from: 12, to: harmless.count * 9 / 10, by: 61) {
        #expect(
          Self.refusal(of: Array(harmless[..<count])) == .damaged, "\(count) bytes of \(harmless.count)")
      }
    }

    @Test func `a WebP whose pixels hide behind more parts than are looked at is damaged`() {
      let whole = Samples.losslessWebP(8, 8)
      let part = Array("JUNK".utf8) + [0, 0, 0, 0]
      let features = Array("VP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 7, 0, 0]
      func hidden(behind count: Int) -> [UInt8] {
        let body = Array("WEBP".utf8) + features + (0..<count).flatMap { _ in part } + whole[12...]
        return Array("RIFF".utf8) + (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) } + body
      }
      #expect(Self.refusal(of: hidden(behind: 900)) == nil)
      #expect(Self.refusal(of: hidden(behind: 1_100)) == .damaged)
      #expect(Self.refusal(of: Array(whole[..<12]) + whole[20...]) == .damaged)
    }

    /// A photograph whose header tells another size.
    private func jpegClaiming(
      _ width: Int, _ height: Int, _ style: PictureGenerator.Style = .init()
    ) -> [UInt8] {
      var file = Samples.jpeg(50, 40, style)
      let frame = file.indices.first {
        file[$0...].starts(with: [0xFF, style.isProgressive ? 0xC2 : 0xC0, 0, 17])
      }
      for (index, value) in [height >> 8, height & 0xFF, width >> 8, width & 0xFF].enumerated() {
        file[(frame ?? 0) + 5 + index] = UInt8(value)
      }
      return file
    }

    private func pngHeader(_ width: Int, _ height: Int) -> [UInt8] {
      let numbers = [width, height].flatMap { value in
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
      }
      return Array(Samples.png(1, 1).prefix(8))
        + PictureGenerator.chunk("IHDR", numbers + [8, 2, 0, 0, 0])
        + PictureGenerator.chunk("IDAT", PictureGenerator.packed(0, count: 1_000_000))
    }

    @Test func `texts in a picture that unpack to a thousand times their size are left alone`() throws {
      let png = Samples.png(50, 40)
      let bomb = PictureGenerator.chunk(
        "zTXt", Array("bomb".utf8) + [0, 0] + PictureGenerator.packed(65, count: 500_000_000))
      #expect(Self.refusal(of: png[..<33] + bomb + png[33...]) == nil)
    }

    @Test func `what is no picture, no file, no regular file or gone is refused`() throws {
      #expect(Self.refusal(of: Array("<svg></svg>".utf8)) == .unknownFormat)
      #expect(Self.refusal(of: []) == .unknownFormat)
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "pictures-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let pipe = folder.appendingPathComponent("pipe").path
      #expect(mkfifo(pipe, 0o600) == 0)
      for path in [folder.path, pipe, folder.path + "/none"] {
        #expect(throws: PictureRefusal.unreadable) {
          try PictureShrinker().pictures(of: .file(path: path), limits: PictureLimits())
        }
      }
    }

    #if os(Linux)
      /// Kibibytes by which the peak of this process exceeds what it held before.
      @Test(arguments: ["photograph", "progressive", "screenshot", "interlaced", "lossless", "too large"])
      func `decoding takes no more memory than it may`(kind: String) async {
        await #expect(processExitsWith: .success) { [kind] in
          let bytes: [UInt8] =
            switch kind {
            case "photograph": Samples.jpeg(8_000, 6_000)
            case "progressive": Samples.jpeg(6_000, 4_000, .init(isProgressive: true))
            case "screenshot": Samples.png(8_000, 6_000)
            case "interlaced": Samples.png(6_000, 4_000, .init(isInterlaced: true, hasTransparency: true))
            case "lossless": Samples.losslessWebP(3_800, 3_800)
            default: Samples.jpeg(8_000, 8_000, .init(isProgressive: true))
            }
          let path = FileManager.default.temporaryDirectory.appendingPathComponent(
            "picture-\(UUID().uuidString)")
          try Data(bytes).write(to: path)
          defer { try? FileManager.default.removeItem(at: path) }
          let before = Self.kibibytes("VmRSS")
          let refusal = Self.refusal(of: path.path)
          precondition((refusal == .tooLarge) == (kind == "too large"), "\(kind): \(refusal as Any)")
          let growth = Self.kibibytes("VmHWM") - before
          precondition(growth < 78 * 1_024, "\(kind) took \(growth) KiB.")
        }
      }

      private static func refusal(of path: String) -> PictureRefusal? {
        do throws(PictureRefusal) {
          _ = try PictureShrinker().pictures(of: .file(path: path), limits: PictureLimits())
          return nil
        } catch {
          return error
        }
      }

      private static func kibibytes(_ field: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
      }
    #endif
  }
#endif
