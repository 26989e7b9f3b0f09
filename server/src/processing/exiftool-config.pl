# exiftool waits for ever when its input has ended. If the server was killed, nothing else ends it.
use POSIX qw(SIGALRM SA_RESTART);

my $starter = getppid();
my $look = sub { getppid() == $starter ? alarm 2 : exit };
# Restarted, since a read that is interrupted ends exiftool too.
POSIX::sigaction(SIGALRM, POSIX::SigAction->new($look, POSIX::SigSet->new, SA_RESTART));
alarm 2;

# The time that exiftool takes for nested XMP grows with the square of its depth: 5,000 levels, in a PNG of a few hundred
# bytes, take 30 seconds. So it does for elements that are never closed, since each is searched for to the end. Real files
# have 15 levels; deeper ones are not read, in whatever container they are.
require Image::ExifTool::XMP;
{
    no warnings;
    my $most = 64;
    my $parse = \&Image::ExifTool::XMP::ParseXMPElement;
    # Linear in the length. Takes the text apart as ParseXMPElement does: comments and CDATA are skipped, a processing
    # instruction ends at its first >, and a closing tag closes an element of the same name or nothing. So malformed text
    # counts as deeper, never as less deep.
    my $is_deep = sub {
        my ($data, $start, $end) = @_;
        my ($depth, %open) = (0);
        pos($$data) = $start;
        while ($$data =~ m{<(?:(!--|!\[CDATA\[)|([?/]?)([-\w:.\x80-\xff]++)[^<>]*+)}sg and pos($$data) <= $end) {
            my ($skipped, $mark, $name) = ($1, $2, $3);
            if ($skipped) {
                my $over = index($$data, $skipped eq '!--' ? '-->' : ']]>', pos $$data);
                return 0 if $over < 0;
                pos($$data) = $over + 3;
                next;
            }
            # A bracket within a tag counts as an element that is never closed.
            while ($$data =~ m{\G<[^<>]*+}gc) { return 1 if ++$depth > $most }
            if ($mark eq '/') {
                next unless $open{$name};
                $depth--;
                delete $open{$name} unless --$open{$name};
            } elsif ($mark eq '' and substr($$data, pos($$data) - 1, 1) ne '/') {
                return 1 if ++$depth > $most;
                $open{$name}++;
            }
        }
        return 0;
    };
    *Image::ExifTool::XMP::ParseXMPElement = sub {
        my ($data, $start, $end, $around) = @_[2 .. 5];
        # Calls for an inner element bring the list of those around it. One that is too deep claims to have been read, so
        # that its text is not taken for a value.
        if ($around) { return 1 if @$around > $most }
        elsif ($is_deep->($data, $start || 0, $end || length $$data)) { return 0 }
        goto &$parse;
    };
}

# Where the preview of a CRW was not asked for, exiftool removes its conversion for the rest of the process. The next
# request for the preview would get its bytes as text instead of the note that there is binary data.
require Image::ExifTool::CanonRaw;
$Image::ExifTool::CanonRaw::Main{$_}{Binary} = 1 for 0x2007, 0x2008;

1;
