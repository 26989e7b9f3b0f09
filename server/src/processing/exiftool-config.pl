# exiftool waits for ever when its input has ended: whoever started it may have been killed, and then nobody else ends it.
use POSIX qw(SIGALRM SA_RESTART);

my $starter = getppid();
my $look = sub { getppid() == $starter ? alarm 2 : exit };
# Restarted, since a read that is interrupted ends exiftool too.
POSIX::sigaction(SIGALRM, POSIX::SigAction->new($look, POSIX::SigSet->new, SA_RESTART));
alarm 2;

# The time that exiftool takes for nested XMP grows with the square of its depth: 5,000 levels, in a PNG of a few hundred
# bytes, take 30 seconds. Real files have 15 levels; deeper ones are not read, in whatever container they are.
require Image::ExifTool::XMP;
{
    no warnings;
    my $parse = \&Image::ExifTool::XMP::ParseXMPElement;
    my $is_deep = sub {
        my ($data, $depth) = (shift, 0);
        pos($$data) = 0;
        # Possessive, so that a text of brackets alone is not searched again and again.
        while ($$data =~ m{<([/!?]?)([^<>]*+)>}g) {
            if ($1 eq '/') { $depth-- if $depth }
            elsif ($1 eq '' && substr($2, -1) ne '/' && ++$depth > 64) { return 1 }
        }
        return 0;
    };
    *Image::ExifTool::XMP::ParseXMPElement = sub {
        # Calls for an inner element bring the list of those around it.
        return 0 if @_ < 6 && $is_deep->($_[2]);
        goto &$parse;
    };
}

# Where the preview of a CRW was not asked for, exiftool removes its conversion for the rest of the process. The next
# request for the preview would get its bytes as text instead of the note that there is binary data.
require Image::ExifTool::CanonRaw;
$Image::ExifTool::CanonRaw::Main{$_}{Binary} = 1 for 0x2007, 0x2008;

1;
