"""JPEG XL: pictures of one colour, whose groups take a few bits each, with the most costly filters and transforms.

The files are those that cjxl 0.7 writes for a picture of 6000 × 6000 pixels, stored compressed.
"""

import base64
import zlib

from trigger import table

TRIGGERS, trigger = table()


def stored(text):
    return zlib.decompress(base64.b85decode(text))


@trigger("jxl-plain.jxl")
def plain():
    """Modular: 36 megapixels without residuals."""
    return stored(
        "c-rmLy)OfC7{Kx0c}ZM{HeO<E(~Vd#w2LMNa$FaSq0!;Og2Bt8)ItR@9FdUY7JtA+Le5mu)Fl-pLWBr|NC+BB2b*xLjiIp_zQ5ly"
        "J^4&e@^wAQeM!pASCvUZlSI*Lm)A;79D~99HrdLO(;=E-tErR|iHeug?Fre_^N~>Rt(D2d#o^fEL-%0#eW*r%>-61S2LisMg@KVw"
        "g`pgO1(T7eeRY%H^-jHB)+*<2F4i^sq_=F?<BxtJW@J&`X4MI=6I!?SM&0ytZ(rVTtKp2<pr##D+x+>u0Rn;kfVRZWoD-T34u76B"
        "YW;;XlgofWlm-G(8VCfUG!Tf=Kp;xvd>{~|fk2c70)Z$E1fnz$h|)M82t;Wh5T$`YltyVF5T$`Ylm-HUC=CRnG!Tf=xC{tHX&?}#"
        "fj}Ti1A+cmX{=cnt*b?|l8v_>6qf35mksd^Z+Xdz")


@trigger("jxl-squeeze.jxl")
def squeeze():
    """Modular with squeeze: all levels of a pyramid."""
    return stored(
        "c-rmKPbh<79KiAS-MhlPugOk3Epb!IK^&}Bi(wb#w99(6l(o|Q$=Hdv%z-5(oE$jfu;xa3r>4b<#FUm+6moFjrc5p_4(nB04&UDA"
        "@IHNhPw(5)w`hqTh+=xa+9V45DJ8GVd0olsa@HjauBypWtBV<CnE5@UOC?vc(BfOsv}31Ncs$*ks<8}wMEdV`mZu{ZsqjLfZ=~Zr"
        "*bsl|w%%Sl9M+RqVD!km?#X;MMxEZ|)y;FFZszII<~c8>eZ6xJ@wScR*nO)|Ur21uX52lBJ!d}qc|wQg?a*Sastp@@+Wn?K9+OtX"
        "OKL^FRJk9VSQBIAKVsXm3#yR=?$^%U00{m+91Onshqx1vQbCYXK}zMqKuQHcN(Ctu1Su5+DHWtt5TsNPq*RbnL6A~GN~KhgQbCYX"
        "K}zMqKuQHcN(Ctu1Su5+jhD){Oj{|}G_HQXd;w0X0J#")


@trigger("jxl-varblocks.jxl")
def varblocks():
    """VarDCT with the filters that an encoder chooses."""
    return stored(
        "c-s5VRkfRu^JpuB5C<cJ4wLi-MyU;q(hC@+7Bor-FpPpxFbZe~VxI~zFo<d`?vdUz=k?D|&h1CH^uFfF-I|-IsvQ&%u%msRp#HIh"
        "UiVCP{|T%N8*Z6AZQba%oZ<VA6TektIlc?Xal1Cp)Vug$*S7^1OFw-S*kzrzH}FRl>y`XR|CgKaESfvd>_oeu<j<Fz*3aQ(23oje"
        "!GX43Lka2RI}$o(c|2j=Ee6LPxbSc(Gw?`sdat^}F5GgqIKq9mbAFkggKe^qRrNaG%l`axe<e(lvb>c!<$#2==@pnz(}wER|NpmJ"
        "uzq)NetXO0@0SZJ`O{Vgp6-yF{d_}TS^K>=F}uQ2)9UmWMZx9OICgKBqOV;?Wf`hxo&nqRe)4(YjJXS9gfz3-N==}KJ7pM`N}rco"
        "k8IQJ<^2m76f9=P2W(t!D<3#Ptb$8q?_DcL{rU)ZXI|AmT7f!lZ=VjFpN3=jg~~ao^h12L;$M>C=Kie-b4rUVnAQqcTq$0Cb@e*y"
        "3sq8~0_%o~J-!SKQuEe;Z7?nWzeS|1vwiYRg$lmc8Raj|o?Dt7dQ3t_8adS3ceyv52|eiT+i;>w8)(-Ct-Z1blG5a}-`xX>byx`1"
        "{zbNdF<=q{0Mcm&1O")


@trigger("jxl-filters.jxl")
def filters():
    """VarDCT with all three iterations of the edge-preserving filter."""
    return stored(
        "c-s5VRkfRu^Jps<BLjm969a<-qX-gWuwaN_h?vFRVdEfS^>Jn<!&TM`25i|$jJ~}c59UAh{_>!G>U>#YhA(Am-yC0vZx?KBn4r&@"
        "darXrD$4@BT`YzQ3=9V)wg@!87HDQRv^YHZ#VRdEx&GsiKUUZvQwPK=k@&m63o+fPe$P8`kLM&6&K)U0f|<d9k%3s^!C{s~j0_VF"
        "Ch53k>Ksd&;+E0UmMg$83P!;wpdF}8;ALQ09WYa~XX7rdn!jfYZ=BO(lr!J6>zm0ct_O!rdILinR69jF-jqF9sU;a%=xde}^7Sht"
        "gTsE?zu!1mn1Cga#RL^DqoO4XfWV_YD8kY(BA16PS;XCs=UmT0$zu{~|Cx>Ld3YQqsd!Qu?fIbSNqtjkhh}~oU?*6PM#UhC3S|XW"
        "cPE69$pnP#UNa6P)y!;M2+k#>*ekiohop%YNlWs2Mr19&ys+DIw;RPCICJMjKNNcu^l;d7`aKhpJq#YcIQ+AQ3#&bzm#zvS*<)g1"
        "G7-By%r_XY2f>{wM#%mV<;7vor2u4mLLzba=eG>9CWF!ZGFo(vM#X5+H6)8JWxpf_eEH>5MyJY9O8J*obq_j6Woogm_|Kpr%KB<P"
        "!ykLb2mcwojxq*oGCZ?C@Qc6UuY1COL5APT4ii?df`Tr+6%dBiXao)N2>QjmSiL6N0kc>*;)I^}b}KMp&*NKOsvu`q^}{&wcyWRQ"
        "_Ts0Og&j$YGZ!Zgdv4oeDHbw2ozd*kal&EG+KDVk_8h)tjl-T?B^<?%F*|ax-EhwpyFIzG3|NC;_Iy-(Zm2qhiZHCuSfItXAVef!"
        "D$@cju7>?g6{741{xeSLV*cRIP<JIDH1z5;AOQueXTn0+83QIU007%aWBm")


@trigger("jxl-noise.jxl")
def noise():
    """VarDCT with noise."""
    return stored(
        "c-s5VRkfRu^JuGpL8AeKNt0Mcqi9B>SVW^}1fz%m!zdU9qkwjxLFdyU4!N8OjBJ@1Tnr6dQv;9j#-00G^K;?hq+7>I+qT`>wqcT}"
        "riR8H=kp!n$s3L>-qNgof{7s_ch;vv5zB)cs%xIqPU35+=IC!-bkJvdMn!D(g%?&oD>&}TZoa2cvzO_W`N#jkQfwFf{H329?&$eb"
        "ax?rKn*q@3pa6x!WS(PrJ%z~|;(83)3|V+C<k%iCVDS-cal4enezc2a!;|@~7n8Vo{6y!xk!h)Y)dm#j<`H_dlh5YTzyJLVLF^44"
        "4!pBIm%LnJ?3erEcy54>_#Qd0XR9ZkYst<~(cN}HL2=&e1IoIzG&zE`!C8|9Xy%m#mj3FT&d;s_>FIuUrV$tHXD2+lh%k41zg90p"
        "!+{4Oju}t<P3|sJnzd~))E1Q|CRWz;aqmzI2{cn@FGe<X$*aqQ$y5u*1_j0oP`w<jcb?un9RK^-?W@%rT-8@1!j-R-e>row%$9S{"
        "*2h1Zys0l^U+muY%8vs38aFfWA<Sb8n8W}8Dm<$%")


@trigger("jxl-passes.jxl")
def passes():
    """VarDCT in several passes."""
    return stored(
        "c-s5VRkfRu^JpuBFb6Y(%ps{Y2PM}Wl$vu;a*m^f0K+I41*3p=;IbnpLj%{;z+=2|=f2kbTzEL?*0IvIZMU{<m?WyHp>fCge1~}Q"
        "hGUDjG^?LrVu;9{_32Q=^5BN*nkTiB_*$wt`db$r^qHPf5nFxXh1Jgrj=Qp(?`hQRWqM`)@qe%s+eJTr=_iLfdj6E$3_r&v0kkkE"
        "K%q35=h(5{!sH(5=BtZ%l#?WqS$H1QbgX{t<@)!Ems)j6Y<A?HKTGyVw@Tm3G6*;sr4;l2&5;NT?GK*82`k?FS}gP467lbb*th@n"
        "K{cTQNxNLS7bcw9p;)zSwzBx?OBd$6Hh<{7fRSh8&zT$xzv-H=w*9)-k_=S!v_ChIk*-!<kUuc7{c-xL^oLLjbrj<4TAK_Xx4oE|"
        "cg~sT$ocnOH;a)i+F#o<nTr8pk<RZ6a}MuHlejkJ72KLvk((Ctrwp8rhF{>>$UAhbWKO&$BJrwPxbLOa6`e(*$s67{7q7eDqTk3i"
        "VU5p&o^6>!#Tp+5hTwJGK;zeJmATi%!J%4u(od`FrI2o0(?+0W(^kaY$Uw5BY(+KGtRS%kU<)?)ZTsLIQ^%|O8x}WVMXR2pSil%C"
        "i2(o|8!Gk")
